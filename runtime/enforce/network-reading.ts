// The one request of the network check: have systemd-networkd read files, and answer its log.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { fileRefusal } from '../../shared/appliance/host-guard.ts';
import { execProgram } from '../../shared/ground/machine/exec.ts';
import type { ExecResult } from '../../shared/ground/machine/host.ts';
import {
  NETWORK_FOLDER,
  READER_OUTPUT,
  READER_PATIENCE,
  readerArguments,
} from '../../shared/platform/host/networkd.ts';
import { Refused } from '../../shared/platform/host/system-root.ts';

/** Two for each VLAN that one trunk can have. */
const FILES_MOST = 2 * 4096;
/** Characters of one: a link with all that it can have is a tenth of it. */
const CONTENT_MOST = 16 << 10;
/** What the kernel takes for a name. */
const NAME_MOST = 255;

export const readingSchema = v.strictObject({
  verb: v.literal('read-network'),
  files: v.pipe(
    v.array(
      v.strictObject({
        name: v.pipe(v.string(), v.maxLength(NAME_MOST)),
        content: v.pipe(v.string(), v.maxLength(CONTENT_MOST)),
      }),
    ),
    v.maxLength(FILES_MOST),
  ),
});
export type ReadingRequest = v.InferOutput<typeof readingSchema>;

/**
 * Answers what the program that shuts networkd away said. @throws Refused for a file that the network unit would never
 * write: it gets nowhere near networkd
 */
export async function readNetwork({ files }: ReadingRequest): Promise<ExecResult> {
  for (const { name, content } of files) {
    const refusal = fileRefusal({ path: `${NETWORK_FOLDER}/${name}`, content });
    if (refusal !== null) throw new Refused(refusal);
  }
  const folder = await mkdtemp(join(tmpdir(), 'network-'));
  try {
    for (const { name, content } of files) await writeFile(join(folder, name), content, { mode: 0o644 });
    const options = { timeout: READER_PATIENCE, output: READER_OUTPUT };
    return await execProgram('unshare', readerArguments(folder), options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
