// A house that may go to another machine, whose files a test has in its hands; asked over its own port, as a browser does.

import { SftpFiles } from '../fakes/sftp-files.ts';
import { MACHINE_PASSWORD, MACHINE_USER, SshMachine } from '../fakes/ssh-machine.ts';
import { type Credentials, type HouseOptions, PASSWORD } from './house.ts';
import { TerminalScene } from './terminal-scene.ts';

export const FILES_PATH = '/ui/management/web-terminal/files';
const SHELL = '/ui/management/web-terminal/shell';

export interface Entry {
  port: number;
  username?: string;
  value?: string;
}

interface AuditRow {
  action: string;
  outcome: string;
  request_id: string;
}

export class RemoteFilesScene {
  readonly terminal: TerminalScene;
  readonly lines: string[];
  machine!: SshMachine;
  files!: SftpFiles;
  admin!: Credentials;
  target = '';
  /** What the browser shows beside its session, by the path of the visit. */
  readonly keys = new Map<string, string>();
  entry_id = '';

  private constructor(terminal: TerminalScene, lines: string[]) {
    this.terminal = terminal;
    this.lines = lines;
  }

  static async open(options: HouseOptions = {}): Promise<RemoteFilesScene> {
    const lines: string[] = [];
    const terminal = await TerminalScene.open({}, { log: (line) => void lines.push(line), ...options });
    const scene = new RemoteFilesScene(terminal, lines);
    await scene.begin();
    scene.machine = await new SshMachine().start();
    await scene.api('PATCH', '/api/v1/remote/settings', { allowed_networks: ['127.0.0.0/8'] });
    await scene.choose({ port: scene.machine.port });
    return scene;
  }

  /** Another administrator, and an empty machine. */
  async begin(): Promise<void> {
    this.admin = await this.terminal.house.actor('admin');
    await this.terminal.apply({ sessions: 16, sessions_per_user: 4 });
    this.files = new SftpFiles();
    if (this.machine) this.machine.sftp = this.files.serve;
  }

  get origin(): string {
    return this.terminal.house.origin;
  }

  async api(method: string, path: string, body?: unknown) {
    const heard = await this.terminal.house.send(method, path, { token: this.admin.token, body });
    if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.status} ${heard.text}`);
    return heard.body;
  }

  /** An entry of a vault that leads to a machine becomes the target; its host key is confirmed unless `confirm` is false. */
  async choose({ port, username = MACHINE_USER, value = MACHINE_PASSWORD }: Entry, confirm = true): Promise<void> {
    const vault = await this.api('POST', '/api/v1/vaults', { name: `machines-${port}` });
    const uris = [`ssh://127.0.0.1:${port}`];
    const entry = await this.api('POST', `/api/v1/vaults/${vault.id}/entries`, {
      key: 'esx01.root',
      username,
      value,
      uris,
    });
    this.entry_id = entry.id;
    const { text } = await this.ask('GET', SHELL);
    this.target = new RegExp(`value="(${entry.id}\\.[0-9a-f]+)"`).exec(text)?.[1] ?? '';
    if (!confirm) return;
    const { target } = this;
    const seen = await this.ask('POST', `${SHELL}/look-at-host-key`, { form: { target } });
    const { sha256 } = JSON.parse(seen.text);
    const done = await this.ask('POST', `${SHELL}/confirm-host-key`, {
      form: { target, sha256, own_password: PASSWORD },
    });
    if (done.status !== 200) throw new Error(done.text);
  }

  /** `accept`: JSON for forms unless said otherwise. */
  async ask(
    method: string,
    path: string,
    given: {
      form?: Record<string, string>;
      bytes?: Buffer;
      parts?: FormData;
      accept?: string;
      as?: Pick<Credentials, 'cookie' | 'csrf'>;
    } = {},
  ) {
    const who = given.as ?? this.admin;
    const accept = given.accept ?? (method === 'GET' ? 'text/html' : 'application/json');
    // Whoever is somebody else has the session alone.
    const cookie = given.as ? who.cookie : this.cookieOf(path);
    const headers: Record<string, string> = { cookie, origin: this.origin, accept };
    let body: URLSearchParams | FormData | Uint8Array<ArrayBuffer> | undefined;
    if (given.bytes) {
      headers['content-type'] = 'application/octet-stream';
      headers['x-csrf-token'] = who.csrf;
      body = new Uint8Array(given.bytes);
    } else if (given.parts) {
      given.parts.set('csrf', who.csrf);
      body = given.parts;
    } else if (given.form) body = new URLSearchParams({ csrf: who.csrf, ...given.form });
    const answer = await fetch(this.origin + path, { method, headers, redirect: 'manual', ...(body && { body }) });
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: answer.headers, bytes, text: bytes.toString() };
  }

  /** Of the browser of the administrator, at a path of a visit. */
  cookieOf(path: string): string {
    const key = this.keys.get(/^.*\/visit_[^/?]+/.exec(path)?.[0] ?? '');
    return key === undefined ? this.admin.cookie : `${this.admin.cookie}; ${key}`;
  }

  opening(form: Record<string, string> = {}, as?: Credentials) {
    return this.ask('POST', FILES_PATH, {
      form: { target: this.target, own_password: PASSWORD, ...form },
      ...(as && { as }),
    });
  }

  /** Path of the pages of a visit. */
  async visit(): Promise<string> {
    const { status, headers, text } = await this.opening();
    if (status !== 303) throw new Error(`${status} ${text}`);
    const visit = headers.get('location')!;
    const set = headers.getSetCookie().find((each) => each.startsWith('groundcrew_files='))!;
    this.keys.set(visit, set.split(';')[0]!);
    return visit;
  }

  page(visit: string, path?: string) {
    return this.ask('GET', path === undefined ? visit : `${visit}?${new URLSearchParams({ path })}`);
  }

  download(visit: string, path: string, as?: Pick<Credentials, 'cookie' | 'csrf'>) {
    return this.ask('GET', `${visit}/content?${new URLSearchParams({ path })}`, { ...(as && { as }) });
  }

  async begun(visit: string, form: Record<string, string>) {
    const { status, text } = await this.ask('POST', `${visit}/uploads`, { form: { folder: '/', ...form } });
    return { status, body: JSON.parse(text), id: JSON.parse(text).id as string };
  }

  async piece(visit: string, id: string, offset: number, bytes: Buffer) {
    const { status, text } = await this.ask('POST', `${visit}/${id}/content?offset=${offset}`, { bytes });
    return { status, body: JSON.parse(text) };
  }

  /** Rows of the audit log about files, oldest first. */
  async audited(): Promise<(AuditRow & { detail: Record<string, unknown> })[]> {
    const rows = await this.terminal.house.services.store.all<AuditRow & { detail: string }>(
      "SELECT action, outcome, detail, request_id FROM audit_event WHERE action LIKE 'terminal.file%' ORDER BY seq",
    );
    return rows.map(({ detail, ...row }) => ({ ...row, detail: JSON.parse(detail) }));
  }

  async close(): Promise<void> {
    await this.terminal.close();
    await this.machine.stop();
  }
}
