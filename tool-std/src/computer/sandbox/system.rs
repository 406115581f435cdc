//! What of the host's system every sandbox shows: programs, libraries, and what programs need to know about the host.
//! Nothing here holds secrets: that is why `/etc` is listed entry by entry.

use std::path::{Path, PathBuf};

/// Folders of programs and libraries. Some are links to others.
pub(super) const PROGRAMS: &[&str] =
    &["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix", "/run/current-system"];

/// Files and folders below `/etc`. Not `/etc/ssl` and `/etc/pki` as a whole, which may hold private keys.
const ETC: &[&str] = &[
    "alternatives",
    "bash.bashrc",
    "bashrc",
    "ca-certificates",
    "ca-certificates.conf",
    "crypto-policies",
    "fonts",
    "gai.conf",
    "group",
    "host.conf",
    "hostname",
    "hosts",
    "inputrc",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "locale.alias",
    "locale.conf",
    "localtime",
    "login.defs",
    "magic",
    "mime.types",
    "networks",
    "nsswitch.conf",
    "os-release",
    "passwd",
    "pki/ca-trust",
    "pki/tls/cert.pem",
    "pki/tls/certs",
    "profile",
    "profile.d",
    "protocols",
    "resolv.conf",
    "services",
    "shells",
    "skel",
    "ssl/cert.pem",
    "ssl/certs",
    "ssl/openssl.cnf",
    "terminfo",
    "timezone",
];

/// What programs ask for the number of processors and the like.
pub(super) const DEVICES_OF_THE_HOST: &str = "/sys/devices/system";

/// Devices that hold nothing.
pub(super) const DEVICES: &[&str] =
    &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];

/// The entries of `/etc` that are there.
pub(super) fn etc() -> impl Iterator<Item = PathBuf> {
    ETC.iter().map(|name| Path::new("/etc").join(name)).filter(|path| path.exists())
}

/// Whether `folder` is none to be given to a command: the whole tree, what the host is set up by, or a part that the
/// kernel makes.
pub(super) fn is_reserved(folder: &Path) -> bool {
    ["/", "/etc", "/boot", "/run", "/var"].iter().any(|whole| folder == Path::new(whole))
        || ["/proc", "/sys", "/dev"].iter().any(|made| folder.starts_with(made))
}
