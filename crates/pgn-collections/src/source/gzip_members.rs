//! Unpacks the members of a gzip file, one after the other.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;

/// The members of a gzip file as one stream.
///
/// Zeros between members and after the last one are padding to the size of a block, as tapes and
/// disks have it. gzip skips it too. Anything else after a member is an error.
pub(super) struct GzipMembers<R> {
    /// The member that is unpacked; `None` after the last.
    member: Option<GzDecoder<BufReader<R>>>,
}

impl<R: Read> GzipMembers<R> {
    pub fn new(packed: R) -> GzipMembers<R> {
        GzipMembers { member: Some(GzDecoder::new(BufReader::new(packed))) }
    }
}

impl<R: Read> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let read = member.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let rest = self.member.take().map(GzDecoder::into_inner);
            self.member = rest.map(next_member).transpose()?.flatten();
        }
        Ok(0)
    }
}

/// Returns the member after some padding, or `None` if there is no other.
fn next_member<R: Read>(mut packed: BufReader<R>) -> io::Result<Option<GzDecoder<BufReader<R>>>> {
    loop {
        let bytes = packed.fill_buf()?;
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        if zeros == 0 {
            let is_end = bytes.is_empty();
            return Ok((!is_end).then(|| GzDecoder::new(packed)));
        }
        packed.consume(zeros);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn unpacked(bytes: &[u8]) -> (String, bool) {
        let mut text = Vec::new();
        let outcome = GzipMembers::new(bytes).read_to_end(&mut text);
        (String::from_utf8(text).unwrap(), outcome.is_ok())
    }

    #[test]
    fn zeros_after_a_member_are_padding() {
        for zeros in [0, 1, 511, 100_000] {
            let padding = vec![0; zeros];
            let bytes = [packed(b"one "), padding.clone(), packed(b"two"), padding].concat();
            assert_eq!(unpacked(&bytes), ("one two".to_owned(), true), "{zeros}");
        }
    }

    #[test]
    fn other_bytes_after_a_member_are_an_error() {
        for rest in [&b"no gzip"[..], b"\0\0no gzip", b"\x1f"] {
            let bytes = [packed(b"one"), rest.to_vec()].concat();
            assert_eq!(unpacked(&bytes), ("one".to_owned(), false), "{rest:?}");
        }
    }

    #[test]
    fn a_member_that_is_cut_off_is_an_error() {
        let bytes = packed(b"one and more");
        assert!(!unpacked(&bytes[..bytes.len() - 9]).1);
    }
}
