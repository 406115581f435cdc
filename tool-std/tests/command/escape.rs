//! Ways out of a sandbox.

use std::fs;
use std::os::unix::fs::symlink;

use crate::stage::{Stage, enclosing};

#[tokio::test]
async fn nothing_outside_is_read() {
    let outside = tempfile::Builder::new().prefix("outside").tempdir_in("/var/tmp").unwrap();
    fs::write(outside.path().join("secret"), "the-secret").unwrap();
    let secret = outside.path().join("secret").display().to_string();
    let own = std::process::id();
    for choice in enclosing() {
        let stage = Stage::new(choice, |builder| builder);
        symlink(&secret, stage.folder.path().join("link")).unwrap();
        symlink(outside.path(), stage.folder.path().join("folder")).unwrap();
        let ways = [
            format!("cat {secret}"),
            "cat link".to_owned(),
            "cat folder/secret".to_owned(),
            format!("cat /proc/self/root{secret}"),
            format!("cat /proc/$PPID/root{secret}"),
            format!("cat /proc/1/root{secret}"),
            format!("cat /proc/{own}/root{secret}"),
            format!("cat /proc/self/cwd/../../..{secret}"),
            format!("for fd in /proc/[0-9]*/fd/*; do cat $fd{secret}; done"),
            format!("ln {secret} here && cat here"),
            format!("cp -r {} copy; cat copy/secret", outside.path().display()),
            format!("mount --bind / /tmp && cat /tmp{secret}"),
            format!("unshare -Ur cat {secret}"),
            format!("chroot / cat {secret}"),
        ];
        for way in ways {
            let ran = stage.run(&way).await;
            assert!(!ran.output().contains("the-secret"), "{}: {way}: {}", stage.level, ran.text);
        }
        let ways = [
            "head -c 100 /etc/shadow".to_owned(),
            "head -c 100 /proc/self/root/etc/shadow".to_owned(),
            format!("head -c 100 /proc/{own}/root/etc/shadow"),
            format!("head -c 100 /proc/{own}/environ"),
            format!("head -c 100 /proc/{own}/maps"),
            "ls /etc/ssl/private".to_owned(),
            "ls /root /home".to_owned(),
            "head -c 100 /dev/mem /dev/kmem /dev/sda /dev/vda".to_owned(),
            format!("mknod disk b {} && head -c 100 disk", device_of(outside.path())),
        ];
        for way in ways {
            let ran = stage.run(&format!("({way}) 2>/dev/null")).await;
            assert_eq!(ran.output(), "(no output)", "{}: {way}", stage.level);
            assert_ne!(ran.code(), 0, "{}: {way}", stage.level);
        }
    }
}

/// Major and minor number of the device on which a path lies.
fn device_of(path: &std::path::Path) -> String {
    use std::os::unix::fs::MetadataExt as _;
    let device = fs::metadata(path).unwrap().dev();
    format!("{} {}", rustix::fs::major(device), rustix::fs::minor(device))
}

#[tokio::test]
async fn nothing_outside_is_written() {
    let outside = tempfile::Builder::new().prefix("outside").tempdir_in("/var/tmp").unwrap();
    fs::write(outside.path().join("file"), "as it was").unwrap();
    let folder = outside.path().display().to_string();
    for choice in enclosing() {
        let stage = Stage::new(choice, |builder| builder);
        symlink(outside.path(), stage.folder.path().join("folder")).unwrap();
        let ways = [
            format!("echo x > {folder}/new"),
            format!("echo x > {folder}/file"),
            format!(": > {folder}/file"),
            format!("truncate -s 0 {folder}/file"),
            "echo x > folder/new".to_owned(),
            "echo x > folder/file".to_owned(),
            format!("echo x > /proc/self/root{folder}/new"),
            format!("echo x > /proc/self/cwd/../../..{folder}/new"),
            format!("rm {folder}/file"),
            format!("mv {folder}/file ."),
            format!("mkdir {folder}/folder"),
            format!("ln -s /etc/shadow {folder}/link"),
            format!("touch x && ln x {folder}/hard"),
            format!("mkfifo {folder}/pipe"),
        ];
        for way in ways {
            let ran = stage.run(&way).await;
            // In bubblewrap `/var/tmp` is another folder, which has no such folder in it.
            assert_ne!(ran.code(), 0, "{}: {way}: {}", stage.level, ran.text);
        }
        assert_eq!(fs::read_to_string(outside.path().join("file")).unwrap(), "as it was", "{}", stage.level);
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1, "{}", stage.level);
        for way in [
            "touch /usr/new",
            "touch /etc/new",
            "touch /new",
            "echo x >> /etc/passwd",
            "echo x >> /usr/bin/env",
            "mknod null c 1 3",
            "cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern",
            "cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness",
            "echo h > /proc/sysrq-trigger",
            "mount -t tmpfs tmpfs /tmp",
            "hostname other",
            "echo x > /sys/devices/system/cpu/cpu0/online",
        ] {
            let ran = stage.run(way).await;
            assert_ne!(ran.code(), 0, "{}: {way}: {}", stage.level, ran.text);
        }
    }
}

#[tokio::test]
async fn no_process_outside_is_signalled() {
    let own = std::process::id();
    for choice in enclosing() {
        let stage = Stage::new(choice, |builder| builder);
        let ran = stage.run(&format!("kill -0 {own} 2>/dev/null || echo out of reach")).await;
        assert_eq!(ran.output(), "out of reach", "{}", stage.level);
    }
}
