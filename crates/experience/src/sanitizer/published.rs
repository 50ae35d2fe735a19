//! Which values of the right shape did their makers publish, so that everybody may have them?
//!
//! Manuals, emulators and the tests of public libraries hold keys that are no secrets. They are kept as hashes, so that this
//! file wakes no scanner.

/// Whether this is a value out of a manual.
pub(super) fn contains(value: &[u8]) -> bool {
    PUBLISHED.contains(&hash(value))
}

/// FNV-1a.
fn hash(value: &[u8]) -> u64 {
    value.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3))
}

#[rustfmt::skip]
const PUBLISHED: &[u64] = &[
    // The sources of Google's Firebase library for Android.
    0xADBD_04E3_FE1B_6D49, 0x816C_D10F_DB11_EAD0, 0x6835_E0F2_8883_2A40, 0x8288_18F8_3325_7868,
    0x1211_3C2E_6979_F447, 0x6ACB_D824_BD32_BBD4, 0x515C_B771_A423_8032, 0xE754_678E_A2B1_4EF1,
    0xE766_6DBB_286C_6C2E, 0xDB94_22F1_DD33_2DCC, 0x9866_D16F_1CA5_7CCE, 0xC800_BF21_00A2_1C67,
    0x99B2_7263_46A1_E92A,
    // Stripe's manual.
    0xDDD1_9C48_6D09_5D84, 0x67E7_33C2_F903_5757, 0x43F6_2E8B_CDD8_4601,
    // The emulators of Azure Storage and Azure Cosmos DB.
    0x3F9D_1C99_6E62_0B67, 0x9F19_20C6_CD48_4714,
    // The front page of jwt.io.
    0x15F8_7945_422C_BEA3,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_out_of_a_manual_is_known() {
        assert!(contains(concat!("AIzaSyabcdefghijklmnop", "qrstuvwxyz1234567").as_bytes()));
        assert!(!contains(b"AIza"));
    }
}
