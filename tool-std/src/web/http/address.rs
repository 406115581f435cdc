//! Which addresses are public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What of IPv4 is not public: the first address of a range, the bits that its addresses share, and what it is.
const V4: &[(Ipv4Addr, u32, &str)] = &[
    (Ipv4Addr::new(0, 0, 0, 0), 8, "an address of this host"),
    (Ipv4Addr::new(10, 0, 0, 0), 8, PRIVATE),
    (Ipv4Addr::new(100, 64, 0, 0), 10, "an address of a provider's inner network"),
    (Ipv4Addr::new(127, 0, 0, 0), 8, LOOPBACK),
    (Ipv4Addr::new(169, 254, 0, 0), 16, LINK),
    (Ipv4Addr::new(172, 16, 0, 0), 12, PRIVATE),
    (Ipv4Addr::new(192, 0, 0, 0), 24, RESERVED),
    (Ipv4Addr::new(192, 0, 2, 0), 24, EXAMPLE),
    (Ipv4Addr::new(192, 88, 99, 0), 24, RELAY),
    (Ipv4Addr::new(192, 168, 0, 0), 16, PRIVATE),
    (Ipv4Addr::new(198, 18, 0, 0), 15, "an address for measurements"),
    (Ipv4Addr::new(198, 51, 100, 0), 24, EXAMPLE),
    (Ipv4Addr::new(203, 0, 113, 0), 24, EXAMPLE),
    (Ipv4Addr::new(224, 0, 0, 0), 4, MULTICAST),
    (Ipv4Addr::new(240, 0, 0, 0), 4, RESERVED),
];

/// The same of IPv6. Beside these, all that does not begin with the bits 001 is not public either.
const V6: &[(Ipv6Addr, u32, &str)] = &[
    (Ipv6Addr::UNSPECIFIED, 128, "an address of this host"),
    (Ipv6Addr::LOCALHOST, 128, LOOPBACK),
    (Ipv6Addr::UNSPECIFIED, 96, WRAPPED),
    (Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96, WRAPPED),
    (Ipv6Addr::new(0, 0, 0, 0, 0xffff, 0, 0, 0), 96, WRAPPED),
    (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96, WRAPPED),
    (Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, 0, 0), 48, WRAPPED),
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 32, WRAPPED),
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, RESERVED),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, EXAMPLE),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, WRAPPED),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, EXAMPLE),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, PRIVATE),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, LINK),
    (Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10, PRIVATE),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8, MULTICAST),
];

const PRIVATE: &str = "an address of a private network";
const LOOPBACK: &str = "an address of this machine";
const LINK: &str = "an address of the local link";
const RESERVED: &str = "a reserved address";
const EXAMPLE: &str = "an address for examples";
const RELAY: &str = "an address of a relay";
const MULTICAST: &str = "an address of a group";
const WRAPPED: &str = "an IPv4 address inside of an IPv6 address";

/// Where clouds tell a machine its own secrets. Nothing opens these.
const METADATA: &[IpAddr] = &[
    IpAddr::V4(Ipv4Addr::new(169, 254, 169, 254)),
    IpAddr::V4(Ipv4Addr::new(169, 254, 170, 2)),
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)),
];

/// What an address is, unless anyone on the internet can reach it.
pub(super) fn not_public(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => {
            let shares = |first: Ipv4Addr, bits| (address.to_bits() ^ first.to_bits()) >> (32 - bits) == 0;
            V4.iter().find(|(first, bits, _)| shares(*first, *bits)).map(|(_, _, what)| *what)
        }
        IpAddr::V6(address) => {
            let shares = |first: Ipv6Addr, bits| (address.to_bits() ^ first.to_bits()) >> (128 - bits) == 0;
            let listed = V6.iter().find(|(first, bits, _)| shares(*first, *bits)).map(|(_, _, what)| *what);
            listed.or_else(|| (address.to_bits() >> 125 != 1).then_some(RESERVED))
        }
    }
}

/// Whether a cloud's metadata are behind an address.
pub(super) fn is_metadata(address: IpAddr) -> bool {
    METADATA.contains(&address)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn what(address: &str) -> Option<&'static str> {
        not_public(address.parse().unwrap())
    }

    #[test]
    fn each_range_ends_where_it_ends() {
        for (last_before, first, last, first_behind) in [
            ("9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"),
            ("100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"),
            ("126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"),
            ("169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"),
            ("172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"),
            ("191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"),
            ("192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"),
            ("192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"),
            ("192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"),
            ("198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"),
            ("198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"),
            ("203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"),
            ("2000:ffff::", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"),
            ("2001:db7:ffff::", "2001:db8::", "2001:db8:ffff::", "2001:db9::"),
            ("2001:ffff::", "2002::", "2002:ffff::", "2003::"),
            ("3ffe:ffff::", "3fff::", "3fff:fff::", "3fff:1000::"),
        ] {
            for (address, is_public) in
                [(last_before, true), (first, false), (last, false), (first_behind, true)]
            {
                assert_eq!(what(address).is_none(), is_public, "{address}");
            }
        }
        assert_eq!(what("223.255.255.255"), None);
        for (address, expected) in [
            ("0.0.0.0", "an address of this host"),
            ("224.0.0.1", MULTICAST),
            ("240.0.0.1", RESERVED),
            ("255.255.255.255", RESERVED),
            ("::", "an address of this host"),
            ("::1", LOOPBACK),
            ("::10.0.0.1", WRAPPED),
            ("::ffff:10.0.0.1", WRAPPED),
            ("::ffff:8.8.8.8", WRAPPED),
            ("::ffff:0:8.8.8.8", WRAPPED),
            ("64:ff9b::8.8.8.8", WRAPPED),
            ("64:ff9b:1::1", WRAPPED),
            ("2001:0:1::1", WRAPPED),
            ("2002:a00:1::", WRAPPED),
            ("100::1", RESERVED),
            ("4000::1", RESERVED),
            ("fc00::1", PRIVATE),
            ("fdff::1", PRIVATE),
            ("fe80::1", LINK),
            ("fec0::1", PRIVATE),
            ("ff02::1", MULTICAST),
        ] {
            assert_eq!(what(address), Some(expected), "{address}");
        }
        for public in ["1.1.1.1", "8.8.8.8", "93.184.215.14", "2606:4700:4700::1111", "2a00:1450::1"] {
            assert_eq!(what(public), None, "{public}");
        }
    }
}
