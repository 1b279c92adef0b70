//! Reads numbers from bytes.

/// Reads a number whose most significant byte comes first. Bytes beyond the end are left out.
pub(crate) fn big_endian(bytes: &[u8], at: usize, size: usize) -> u64 {
    let digits = bytes.iter().skip(at).take(size);
    digits.fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Reads a number whose least significant byte comes first. Bytes beyond the end are 0.
pub(crate) fn little_endian(bytes: &[u8], at: usize, size: usize) -> u64 {
    let digits = bytes.iter().skip(at).take(size);
    digits.rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Returns some bits of a number as 32 bits: `size` bits above the lowest `from` ones.
pub(crate) fn bits(number: u64, from: u32, size: u32) -> u32 {
    (number >> from & ((1 << size) - 1)) as u32
}

/// Reads the text at the beginning of a field of fixed size, which a NUL byte ends.
pub(crate) fn text_field(bytes: &[u8], at: usize, size: usize) -> &[u8] {
    let end = bytes.len().min(at + size);
    let field = bytes.get(at..end).unwrap_or_default();
    let length = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
    field[..length].trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_both_orders() {
        assert_eq!(big_endian(&[9, 1, 2], 1, 2), 0x102);
        assert_eq!(little_endian(&[9, 1, 2], 1, 2), 0x201);
        assert_eq!((big_endian(&[1], 5, 4), little_endian(&[1, 2], 1, 4)), (0, 2));
        assert_eq!(bits(0xABCD, 4, 8), 0xBC);
    }

    #[test]
    fn a_text_ends_at_its_nul_byte_or_with_its_field() {
        assert_eq!(text_field(b"..Tal\0xy", 2, 6), b"Tal");
        assert_eq!(text_field(b"..Tal", 2, 2), b"Ta");
        assert_eq!(text_field(b"..Tal", 9, 3), b"");
    }
}
