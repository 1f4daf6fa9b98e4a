//! From which network address a request comes (SEC-5).

use std::net::{IpAddr, Ipv6Addr};

use actix_web::{HttpRequest, http::header::HeaderName};
use ipnet::IpNet;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address of whoever is behind the request. Anybody can send
/// `X-Forwarded-For`, so it is read from its right end, and only as far as those who
/// wrote it are trusted.
#[must_use]
pub fn client_ip(request: &HttpRequest, trusted: &[IpNet]) -> IpAddr {
    let peer = request.peer_addr().map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |peer| peer.ip());
    let hops = request.headers().get_all(X_FORWARDED_FOR).filter_map(|value| value.to_str().ok());
    let hops: Vec<&str> = hops.flat_map(|value| value.split(',')).collect();
    outermost(peer.to_canonical(), &hops, trusted)
}

fn outermost(peer: IpAddr, hops: &[&str], trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: &IpAddr| trusted.iter().any(|net| net.contains(address));
    let mut outermost = peer;
    for hop in hops.iter().rev() {
        if !is_trusted(&outermost) {
            break;
        }
        match hop.trim().parse::<IpAddr>() {
            Ok(address) => outermost = address.to_canonical(),
            // What a trusted proxy did not understand, nobody should.
            Err(_) => break,
        }
    }
    outermost
}

/// What is counted as one sender: an address, or a network of the size that one
/// customer gets.
#[must_use]
pub fn network(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let prefix = address.to_bits() >> 64 << 64;
            format!("{}/64", Ipv6Addr::from_bits(prefix))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Case C58.
    #[test]
    fn the_header_is_believed_only_from_trusted_proxies() {
        let trusted: Vec<IpNet> =
            ["10.0.0.0/8", "127.0.0.1/32", "fd00::/8"].map(|net| net.parse().unwrap()).to_vec();
        for (peer, hops, wanted) in [
            ("203.0.113.9", "", "203.0.113.9"),
            ("203.0.113.9", "8.8.8.8", "203.0.113.9"),
            ("203.0.113.9", "8.8.8.8, 10.0.0.1", "203.0.113.9"),
            ("127.0.0.1", "", "127.0.0.1"),
            ("127.0.0.1", "198.51.100.7", "198.51.100.7"),
            // What the client itself sent stands further left.
            ("127.0.0.1", "8.8.8.8, 198.51.100.7", "198.51.100.7"),
            ("127.0.0.1", "8.8.8.8,198.51.100.7,10.1.2.3", "198.51.100.7"),
            ("127.0.0.1", "127.0.0.1, 198.51.100.7", "198.51.100.7"),
            ("127.0.0.1", "nonsense", "127.0.0.1"),
            ("127.0.0.1", "198.51.100.7, nonsense", "127.0.0.1"),
            ("fd00::1", "2001:db8::5", "2001:db8::5"),
            ("10.0.0.1", "::ffff:198.51.100.7", "198.51.100.7"),
        ] {
            let hops: Vec<&str> = hops.split(',').filter(|hop| !hop.is_empty()).collect();
            let found = outermost(peer.parse().unwrap(), &hops, &trusted);
            assert_eq!(found, wanted.parse::<IpAddr>().unwrap(), "{peer} {hops:?}");
        }
        let alone = outermost("127.0.0.1".parse().unwrap(), &["198.51.100.7"], &[]);
        assert_eq!(alone, "127.0.0.1".parse::<IpAddr>().unwrap());
    }

    #[test]
    fn one_customer_is_one_sender() {
        assert_eq!(network("198.51.100.7".parse().unwrap()), "198.51.100.7");
        let (one, two) = ("2001:db8:1:2::3", "2001:db8:1:2:ffff::9");
        assert_eq!(network(one.parse().unwrap()), "2001:db8:1:2::/64");
        assert_eq!(network(one.parse().unwrap()), network(two.parse().unwrap()));
    }
}
