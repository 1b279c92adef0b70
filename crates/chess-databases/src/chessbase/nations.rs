//! The countries of ChessBase, by their numbers.

/// The codes of countries, mostly those of the International Olympic Committee. Source: the list of
/// the project Morphy (`Nation`).
const CODES: &str = "\
    - AFG ALB ALG AND ANG ANT ARG ARM AUS AUT AZE BAH BRN BAN BAR BLR BEL BIZ BER \
    BOL BIH BOT BRA IVB BRU BUL BUR CAN CHI CHN COL CRC CRO CUB CYP CZE DEN DJI DOM \
    ECU EGY ENG ESP EST ETH FRO FIJ FIN FRA MKD GAM GEO GER GHA GRE GUA GCI GUY HAI \
    HON HKG HUN ISL IND INA IRI IRQ ISR IRL ITA CIV JAM JPN GCI JOR KAZ KEN KOR KGZ \
    KUW LAT LIB LBA LIE LTU LUX MAC MAD MAS MLI MLT MTN MRI MEX MDA MON MGL MAR MOZ \
    MYA NAM NEP NED AHO NZL NCA NGR NOR PAK PLE PAN PNG PAR PER PHI POL POR PUR QAT \
    ROU RUS ESA SMR SCO SEN SEY SIN SVK SLO RSA SRI SUD SUR SWE SUI SYR TJK TAN THA \
    TTO TUN TUR TKM UGA UKR UAE USA URU URS UZB VEN VIE ISV WLS YEM SCG ZAM ZIM ZAI \
    DDR TCH CMR CHA CPV KIR COM CGO PRK LAO LES MAW MDV MHL OMA NRU MIC NIG KSA TOG \
    TGA VAN VAT TUV SWZ SLE LCA PAP SVI SAM SKI SOL GE2 ZAR RWA LBR NET TPE ASA AGG \
    ARU BEN BHU BDI CAM CAY CAF GCI CIA COA COK GEQ ERI FGB FRG FRP GAB GGB GRN GRL \
    FGA GUM GUI GBS IOM JMY MFR MYF MSG NCF NNN NNA NMI OTM PLW PIG RUF STP SOM SVN \
    HGB PGB TKI TCI WFR NIR ISS GBR SAA MNE SRB CAT BAS KOS";

/// Returns the code of a country; empty if it is unknown.
pub(super) fn code(number: u64) -> &'static str {
    let code = CODES.split_ascii_whitespace().nth(number as usize).unwrap_or_default();
    if code == "-" { "" } else { code }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_have_codes_of_three_letters() {
        assert_eq!([0, 1, 103, 149, 253, 254].map(code), ["", "AFG", "NED", "URS", "KOS", ""]);
    }
}
