// The files of another machine in memory, answered over SFTP as a test wants them: as an honest machine does, or with one answer
// that none should give.
import ssh2, { type Attributes, type SFTPWrapper } from 'ssh2';

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;
export const FOLDER = 0o040_755;
export const FILE = 0o100_644;
export const LINK = 0o120_777;

export interface Stored {
  mode: number;
  bytes: Buffer;
  /** What it says to have, where it has something else. */
  said?: number;
}

type Kind = 'OPEN' | 'CLOSE' | 'READ' | 'WRITE' | 'OPENDIR' | 'READDIR' | 'STAT' | 'LSTAT' | 'RENAME' | 'REMOVE';

export class SftpFiles {
  readonly stored = new Map<string, Stored>([['/', { mode: FOLDER, bytes: Buffer.alloc(0) }]]);
  /** Questions of each kind so far. */
  readonly asked: Partial<Record<Kind, number>> = {};
  /** In place of its own answer; true: it has answered, or never will. */
  odd: Partial<
    Record<Kind, (sftp: SFTPWrapper, id: number, at: { path: string; offset: number; length: number }) => boolean>
  > = {};
  readonly #handles = new Map<string, { path: string; listed: boolean }>();
  #next = 0;

  put(path: string, content: string | Buffer, more: Partial<Stored> = {}): void {
    this.stored.set(path, { mode: FILE, bytes: Buffer.from(content), ...more });
  }

  folder(path: string): void {
    this.stored.set(path, { mode: FOLDER, bytes: Buffer.alloc(0) });
  }

  text(path: string): string | null {
    return this.stored.get(path)?.bytes.toString() ?? null;
  }

  readonly serve = (sftp: SFTPWrapper): void => {
    sftp.on('error', () => undefined);
    sftp.on('REALPATH', (id) => sftp.name(id, [{ filename: '/', longname: '/', attrs: {} as Attributes }]));
    const on = (
      kind: Kind,
      answer: (id: number, ...given: never[]) => void,
      at: (...given: never[]) => Partial<At>,
    ) => {
      sftp.on(kind, ((id: number, ...given: never[]) => {
        this.asked[kind] = (this.asked[kind] ?? 0) + 1;
        if (this.odd[kind]?.(sftp, id, { path: '', offset: 0, length: 0, ...at(...given) })) return;
        answer(id, ...given);
      }) as never);
    };
    const byPath = (path: string) => ({ path });
    const byHandle = (handle: Buffer, offset = 0, length: number | Buffer = 0) => ({
      path: this.#handles.get(handle.toString())?.path ?? '',
      offset,
      length: typeof length === 'number' ? length : length.length,
    });
    on('STAT', (id, path: string) => this.#attrs(sftp, id, path), byPath);
    on('LSTAT', (id, path: string) => this.#attrs(sftp, id, path), byPath);
    on('OPENDIR', (id, path: string) => this.#opens(sftp, id, path, this.stored.has(path)), byPath);
    on('READDIR', (id, handle: Buffer) => this.#list(sftp, id, handle), byHandle);
    on('OPEN', (id, path: string, flags: number) => this.#open(sftp, id, path, flags), byPath);
    on(
      'READ',
      (id, handle: Buffer, offset: number, length: number) => this.#read(sftp, id, handle, offset, length),
      byHandle,
    );
    on(
      'WRITE',
      (id, handle: Buffer, offset: number, bytes: Buffer) => this.#write(sftp, id, handle, offset, bytes),
      byHandle,
    );
    on('RENAME', (id, from: string, to: string) => this.#rename(sftp, id, from, to), byPath);
    on(
      'REMOVE',
      (id, path: string) => sftp.status(id, this.stored.delete(path) ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE),
      byPath,
    );
    on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK), byHandle);
    sftp.on('FSETSTAT', (id) => sftp.status(id, STATUS_CODE.OK));
  };

  attrsOf({ mode, bytes, said }: Stored): Attributes {
    return { mode, uid: 0, gid: 0, size: said ?? bytes.length, atime: 1_700_000_000, mtime: 1_700_000_000 };
  }

  #attrs(sftp: SFTPWrapper, id: number, path: string): void {
    const found = this.stored.get(path);
    if (found) sftp.attrs(id, this.attrsOf(found));
    else sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
  }

  #opens(sftp: SFTPWrapper, id: number, path: string, may: boolean): void {
    if (!may) return void sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    this.#next += 1;
    const handle = `h${this.#next}`;
    this.#handles.set(handle, { path, listed: false });
    sftp.handle(id, Buffer.from(handle));
  }

  #open(sftp: SFTPWrapper, id: number, path: string, flags: number): void {
    const there = this.stored.has(path);
    if (flags & OPEN_MODE.CREAT) {
      if (there && flags & OPEN_MODE.EXCL) return void sftp.status(id, STATUS_CODE.FAILURE);
      this.put(path, '');
    }
    this.#opens(sftp, id, path, this.stored.has(path));
  }

  #list(sftp: SFTPWrapper, id: number, handle: Buffer): void {
    const open = this.#handles.get(handle.toString())!;
    if (open.listed) return void sftp.status(id, STATUS_CODE.EOF);
    open.listed = true;
    const begin = open.path === '/' ? '/' : `${open.path}/`;
    const names = [...this.stored].filter(([path]) => path !== '/' && path.startsWith(begin));
    const rows = names.map(([path, stored]) => ({
      filename: path.slice(begin.length),
      longname: '',
      attrs: this.attrsOf(stored),
    }));
    sftp.name(
      id,
      rows.filter(({ filename }) => !filename.includes('/')),
    );
  }

  #read(sftp: SFTPWrapper, id: number, handle: Buffer, offset: number, length: number): void {
    const { path } = this.#handles.get(handle.toString())!;
    const bytes = this.stored.get(path)!.bytes.subarray(offset, offset + length);
    if (bytes.length === 0) sftp.status(id, STATUS_CODE.EOF);
    else sftp.data(id, bytes);
  }

  #write(sftp: SFTPWrapper, id: number, handle: Buffer, offset: number, bytes: Buffer): void {
    const { path } = this.#handles.get(handle.toString())!;
    const stored = this.stored.get(path)!;
    const whole = Buffer.alloc(Math.max(stored.bytes.length, offset + bytes.length));
    stored.bytes.copy(whole);
    bytes.copy(whole, offset);
    stored.bytes = whole;
    sftp.status(id, STATUS_CODE.OK);
  }

  #rename(sftp: SFTPWrapper, id: number, from: string, to: string): void {
    const found = this.stored.get(from);
    if (!found || this.stored.has(to)) return void sftp.status(id, STATUS_CODE.FAILURE);
    this.stored.delete(from);
    this.stored.set(to, found);
    sftp.status(id, STATUS_CODE.OK);
  }
}

interface At {
  path: string;
  offset: number;
  length: number;
}
