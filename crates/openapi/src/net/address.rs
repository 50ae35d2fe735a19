//! Which addresses are public: everything that leads to this machine, its network or a cloud's own services is not.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What may be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Addresses of the public internet only.
    Public,
    /// Private ones as well: the operator named the host.
    Private,
}

/// Networks of version 4 that are not public, as address and length of the prefix.
const NOT_PUBLIC_4: &[([u8; 4], u32)] = &[
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    ([224, 0, 0, 0], 4),
    ([240, 0, 0, 0], 4),
];

/// The only network of version 6 that the public internet is in.
const PUBLIC_6: ([u16; 8], u32) = ([0x2000, 0, 0, 0, 0, 0, 0, 0], 3);

/// Networks within it that are not public.
const NOT_PUBLIC_6: &[([u16; 8], u32)] = &[
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 23),
    ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32),
    ([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20),
];

/// Networks of version 6 that carry an address of version 4: the network, its length, and at which bit that address begins.
const CARRIES_4: &[([u16; 8], u32, u32)] = &[
    ([0, 0, 0, 0, 0, 0, 0, 0], 96, 96),
    ([0, 0, 0, 0, 0, 0xffff, 0, 0], 96, 96),
    ([0, 0, 0, 0, 0xffff, 0, 0, 0], 96, 96),
    ([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96, 96),
    ([0x2002, 0, 0, 0, 0, 0, 0, 0], 16, 16),
];

impl Reach {
    pub(crate) fn allows(self, address: IpAddr) -> bool {
        self == Self::Private || is_public(address)
    }
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_4(address),
        IpAddr::V6(address) => is_public_6(address),
    }
}

fn is_public_4(address: Ipv4Addr) -> bool {
    let bits = address.to_bits();
    !NOT_PUBLIC_4.iter().any(|(network, length)| (bits ^ u32::from_be_bytes(*network)) >> (32 - length) == 0)
}

fn is_public_6(address: Ipv6Addr) -> bool {
    let bits = address.to_bits();
    let is_in = |network: &[u16; 8], length: u32| {
        let network = Ipv6Addr::from_segments(*network).to_bits();
        (bits ^ network) >> (128 - length) == 0
    };
    if NOT_PUBLIC_6.iter().any(|(network, length)| is_in(network, *length)) {
        return false;
    }
    match CARRIES_4.iter().find(|(network, length, _)| is_in(network, *length)) {
        Some((_, _, begins)) => {
            let carried = u32::try_from((bits >> (96 - begins)) & u128::from(u32::MAX)).unwrap_or_default();
            is_public_4(Ipv4Addr::from_bits(carried))
        }
        None => is_in(&PUBLIC_6.0, PUBLIC_6.1),
    }
}
