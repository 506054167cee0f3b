// Reads the results of the official suite: judge.mjs FOLDER. Fails if a check failed that is not listed here.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// These checks call a tool of the suite, which a real server does not have; each reports "Not testable".
const WANTS_A_TOOL_OF_THE_SUITE = [
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
];

const counts = {};
let bad = 0;
for (const file of readdirSync(process.argv[2], { recursive: true }).filter((name) => name.endsWith('checks.json'))) {
  for (const check of JSON.parse(readFileSync(join(process.argv[2], file), 'utf8'))) {
    const untestable = WANTS_A_TOOL_OF_THE_SUITE.includes(check.id) && check.details?.untestable;
    const status = untestable ? 'UNTESTABLE' : check.status;
    counts[status] = (counts[status] ?? 0) + 1;
    if (status === 'FAILURE') {
      bad += 1;
      console.error(`${file}: ${check.id}: ${check.errorMessage}`);
    } else if (status === 'WARNING') {
      console.log(`${file}: ${check.id}: ${check.errorMessage ?? check.details?.message}`);
    }
  }
}
console.log(counts);
process.exit(bad > 0 || !counts.SUCCESS ? 1 : 0);
