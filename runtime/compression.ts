// Compresses an answer for whoever takes it: brotli at a quality that costs about what gzip does, beside the event loop.
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Coding } from '../shared/kernel/operation/constant.ts';
import { codingOf } from './constant-answer.ts';

const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };

const COMPRESS: Record<Exclude<Coding, 'identity'>, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => {
    const params = { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
    return promisify(brotliCompress)(body, { params });
  },
  gzip: promisify(gzip),
};

/** The body on the wire, and the headers that say how it is coded. */
export async function compressed(
  { headers }: Pick<IncomingMessage, 'headers'>,
  body: Buffer,
): Promise<{ body: Buffer; headers: Record<string, string> }> {
  const vary = { vary: 'accept-encoding' };
  const coding = codingOf(headers['accept-encoding'] as string | undefined);
  if (coding === 'identity') return { body, headers: vary };
  return { body: await COMPRESS[coding](body), headers: { ...vary, 'content-encoding': coding } };
}
