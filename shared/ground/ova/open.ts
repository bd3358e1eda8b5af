// The bytes of one member as a stream, for an upload: only while the file is the checked one.
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { openOva, readExactly, requireUnchanged } from './ova-file.ts';
import type { OvaPackage } from './types.ts';

const PIECE = 1024 * 1024;

/**
 * Pieces of 1 MiB. Fails with OvaFault file_changed when size or time of the file are no longer those of the package,
 * at the start and once more before it ends. @throws Error for a name that is no member
 */
export function openMember(ova: Pick<OvaPackage, 'path' | 'size' | 'mtime_ms' | 'members'>, name: string): Readable {
  const member = ova.members.find((one) => one.name === name);
  if (!member) throw new Error('the OVA has no such member');
  let file: FileHandle | null = null;
  let at = 0;
  return new Readable({
    highWaterMark: PIECE,
    construct(done) {
      openOva(ova.path, ova).then((opened) => {
        file = opened.file;
        done();
      }, done);
    },
    read() {
      piece().then(
        (bytes) => this.push(bytes),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      if (file === null) return done(error);
      file.close().then(
        () => done(error),
        (failure: Error) => done(error ?? failure),
      );
    },
  });

  async function piece(): Promise<Buffer | null> {
    if (file === null || member === undefined) throw new Error('the member is not open');
    const length = Math.min(PIECE, member.size - at);
    if (length === 0) {
      await requireUnchanged(file, ova);
      return null;
    }
    const bytes = await readExactly(file, Buffer.allocUnsafeSlow(length), member.offset + at);
    at += length;
    return bytes;
  }
}
