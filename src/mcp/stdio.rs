//! The protocol over standard input and output: one message on each line, for clients that start a program.

use std::{
    future::ready,
    io::{self, BufRead, Read as _, Write},
};

use serde_json::Value;

use super::{
    Access, Admitting, Drawing, LookingUp, Setting, app, fault::Fault, message, methods, reply::Reply,
};
use crate::{
    edition::Edition,
    upstream::{Asker, Lookups},
};
use platbook::{
    answers::{Answers, Lookup},
    geometry::LonLat,
};

/// Maximum length of a line in bytes; chosen, not measured.
const LINE_BYTES_MAX: u64 = 1 << 20;

/// Stands for the random id of a request, so that equal calls have the same bytes in their answers.
const REQUEST_ID: &str = "standard-input";

/// Answers each line in order, until the input ends. `lookups` runs the outside lookups.
///
/// # Errors
/// If reading or writing fails.
pub async fn serve_lines(
    edition: &Edition,
    lookups: &Lookups,
    input: &mut (dyn BufRead + Send),
    output: &mut (dyn Write + Send),
) -> io::Result<()> {
    let mut line = Vec::new();
    while read_line(input, &mut line)? {
        let reply = match line.trim_ascii() {
            [] => continue,
            _ if line.len() as u64 > LINE_BYTES_MAX => {
                let fault = Fault::invalid_request(format!("the line is longer than {LINE_BYTES_MAX} bytes"));
                Reply::fault(&Value::Null, fault)
            }
            bytes => reply(edition, lookups, bytes).await,
        };
        if let Some(body) = reply.body {
            output.write_all(&body)?;
            output.write_all(b"\n")?;
            output.flush()?;
        }
    }
    Ok(())
}

/// Reads a line, and discards the part beyond the limit. Returns `false` at the end of the input.
fn read_line(input: &mut (dyn BufRead + Send), line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    input.take(LINE_BYTES_MAX + 1).read_until(b'\n', line)?;
    let mut rest = Vec::new();
    while line.len() as u64 > LINE_BYTES_MAX && line.last() != Some(&b'\n') {
        rest.clear();
        let bytes = input.take(LINE_BYTES_MAX).read_until(b'\n', &mut rest)?;
        if bytes == 0 || rest.last() == Some(&b'\n') {
            break;
        }
    }
    Ok(!line.is_empty())
}

async fn reply(edition: &Edition, mut lookups: &Lookups, bytes: &[u8]) -> Reply {
    let setting = Setting { edition, access: &mut lookups, request_id: REQUEST_ID };
    methods::answer_message(setting, message::read(bytes), None).await
}

/// Access without limits, for the user who started the program.
impl Access for &Lookups {
    fn admit(&mut self) -> Admitting<'_> {
        Box::pin(ready(Ok(())))
    }

    fn look_up<'a>(&'a mut self, answers: &'a Answers, lookup: Lookup) -> LookingUp<'a> {
        Box::pin(self.run(answers, lookup, || Ok(Asker::Operator)))
    }

    fn draw<'a>(&'a mut self, edition: &'a Edition, point: LonLat) -> Drawing<'a> {
        Box::pin(ready(Ok(app::map(edition, point))))
    }
}
