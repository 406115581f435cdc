use ::landlock::ABI;

use super::*;

fn chosen(network: Network, landlock: Result<ABI, &str>) -> Result<SandboxReport, String> {
    let landlock = landlock.map(|has| Landlock::of(network, has)).map_err(ToOwned::to_owned);
    let best = best(network, Err("bubblewrap (`bwrap`) is not installed".to_owned()), || landlock);
    best.map(|sandbox| sandbox.report()).map_err(|error| error.to_string())
}

#[test]
fn without_bubblewrap_landlock_is_taken_if_it_does_all_that_is_asked() {
    let report = chosen(Network::Open, Ok(ABI::V6)).unwrap();
    assert_eq!(report, SandboxReport::new(SandboxLevel::Landlock, NetworkReach::Open));
}

#[test]
fn what_was_asked_is_not_weakened() {
    for (network, landlock, says) in [
        (Network::Closed, Ok(ABI::V6), "Landlock cannot close the network"),
        (Network::Open, Ok(ABI::V5), "this kernel has only a part of Landlock"),
        (Network::Open, Err("this kernel has no Landlock"), "this kernel has no Landlock"),
    ] {
        let error = chosen(network, landlock).unwrap_err();
        let expected = format!(
            "commands cannot run, since no sandbox is to be had: bubblewrap (`bwrap`) is not installed; {says}; the operator of \
             this program can install bubblewrap (`apt-get install bubblewrap`), allow user namespaces, or choose a weaker \
             sandbox or none by `SandboxChoice`"
        );
        assert_eq!(error, expected);
    }
}

#[test]
fn a_report_says_what_an_older_kernel_lacks() {
    for (network, has, level, reach) in [
        (Network::Closed, ABI::V6, SandboxLevel::Landlock, NetworkReach::NoTcp),
        (Network::Closed, ABI::V4, SandboxLevel::LandlockPartial, NetworkReach::NoTcp),
        (Network::Closed, ABI::V3, SandboxLevel::LandlockPartial, NetworkReach::Open),
    ] {
        assert_eq!(Landlock::of(network, has).report(), SandboxReport::new(level, reach));
    }
}
