// Work on a disk, which the root step starts by its name: `format-<UUID>` or `grow-<UUID>`. It may open disks, which the root step
// may not, and nothing else: it has no network, and changes no file but its own record. What it is to do stands in the file of
// that filesystem, which only root writes and whose every line fits a grammar (shared/services/storage/disk-grammar.ts).
import { execProgram } from '../../shared/ground/machine/exec.ts';
import { WORK_WORD } from '../../shared/services/storage/disk-grammar.ts';
import { DISKS_FOLDER, RECORDS_FOLDER, type Work } from '../../shared/services/storage/disk-order.ts';
import { workOn } from '../../shared/services/storage/disk-work.ts';
import { SEEN } from '../../shared/services/storage/disks.ts';

async function main([word = '', ...more]: readonly string[]): Promise<string> {
  const [, work, uuid] = WORK_WORD.exec(word) ?? [];
  if (work === undefined || uuid === undefined || more.length > 0)
    throw new Error('it takes one word, such as format-<UUID>');
  const place = { orders: DISKS_FOLDER, records: RECORDS_FOLDER, dev: '/dev', seen: SEEN, exec: execProgram };
  return `the disk ${await workOn(work as Work, uuid, place)}`;
}

const say = (line: string): void => void process.stderr.write(`groundcrew disk: ${line}\n`);

main(process.argv.slice(2)).then(
  (said) => {
    say(said);
    process.exit(0);
  },
  (error: Error) => {
    say(`refused: the disk ${error.message}`);
    process.exit(1);
  },
);
