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
    // Google's Firebase library for Android: every key in any version of its files.
    0xADBD_04E3_FE1B_6D49, 0x816C_D10F_DB11_EAD0, 0x294C_63F8_344D_5DF1, 0xE2F4_35BD_467A_1C60,
    0x6835_E0F2_8883_2A40, 0x8288_18F8_3325_7868, 0x1211_3C2E_6979_F447, 0x6ACB_D824_BD32_BBD4,
    0x25FB_26B8_FC29_AC98, 0xC73F_1E61_952E_6987, 0x8D3B_F0C3_E817_20DB, 0x515C_B771_A423_8032,
    0x22D1_1322_B449_4F2D, 0xE754_678E_A2B1_4EF1, 0xA50A_9609_3DB5_A071, 0x3ADC_0491_A881_80EF,
    0x238B_4E70_BB28_8798, 0x29A3_36C7_244F_48DD, 0xE766_6DBB_286C_6C2E, 0x86DB_0258_745B_827C,
    0x08B5_4596_2ADC_7D8B, 0xDB94_22F1_DD33_2DCC, 0xF52B_2132_6521_2AD7, 0x9866_D16F_1CA5_7CCE,
    0xC800_BF21_00A2_1C67, 0x99B2_7263_46A1_E92A,
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
