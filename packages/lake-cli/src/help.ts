/** What `--help` says. */
export const HELP = `Fills the delivery lake from files, and follows its long work.

  yarn lake import <file.ndjson|file.csv>   send what the file tells of
  yarn lake replay                          make the records anew from what was received
  yarn lake rebuild                         derive metrics anew from the records
  yarn lake example <file.ndjson>           write a history of demonstration data to import

Options
  --url <address>    of the portal's back end (http://localhost:7007)
  --token <token>    service token; else SLIPWAY_TOKEN, else, on this machine
                     alone, the token of development
  --kind <kind>      of items that name none: deployment, change or incident
                     (deployment)
  --seed <text>      of the example: another text, another history
  -h, --help         this text

A file holds one JSON object a line (.ndjson, .jsonl), or a row each under a
header that names the fields, dotted where they are nested (.csv): commit.sha.
An import that was interrupted goes on where it stopped when it is run again.
Exit codes: 0 all taken, 1 failed, 2 wrong arguments, 3 some items were rejected.
`;
