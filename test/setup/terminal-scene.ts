// A house whose web terminal is in force at 127.0.0.1, with a shell of a fake at its socket.
import { type DoorTimes, SOCKET_PATH } from '../../runtime/terminal-door.ts';
import { startSession } from '../../shared/kernel/access/session.ts';
import { HOST_KEY_PUBLIC, MANIFEST_PATH, SOCKET } from '../../shared/services/web-terminal/files.ts';
import { type TerminalManifest, writeManifest } from '../../shared/services/web-terminal/manifest.ts';
import { ACCOUNT, type FakeShell, OS_PASSWORD, startFakeShell } from '../fakes/ssh-shell.ts';
import { type Credentials, House, type HouseOptions, PASSWORD } from './house.ts';
import { type Asking, openTerminal, type TerminalClient } from './terminal-client.ts';

const IN_FORCE: TerminalManifest = {
  version: 1,
  listeners: [{ interface: 'lo', address: '127.0.0.1' }],
  idle_minutes: 15,
  session_minutes: 60,
  sessions: 4,
  sessions_per_user: 2,
};
export const TICKET_PATH = '/ui/management/web-terminal/shell/ticket';
const SIZE = { columns: 80, rows: 24 };

export class TerminalScene {
  readonly house: House;
  readonly fake: FakeShell;

  private constructor(house: House, fake: FakeShell) {
    this.house = house;
    this.fake = fake;
  }

  static async open(times: DoorTimes = {}, options: HouseOptions = {}): Promise<TerminalScene> {
    let enforces = false;
    const host: HouseOptions['host'] = (rehearsal) => ({
      ...rehearsal,
      get enforces() {
        return enforces;
      },
    });
    const house = await House.open({ host, terminal_times: times, ticker: false, ...options });
    // What else follows an applied state here was started without any.
    enforces = true;
    const { host: made } = house.services;
    const scene = new TerminalScene(house, await startFakeShell(made.resolve(SOCKET), made.resolve(HOST_KEY_PUBLIC)));
    await scene.apply({});
    return scene;
  }

  /** Null: switched off. */
  async apply(change: Partial<TerminalManifest> | null): Promise<void> {
    const { host } = this.house.services;
    if (change === null) return host.remove(MANIFEST_PATH);
    await host.write({ path: MANIFEST_PATH, content: writeManifest({ ...IN_FORCE, ...change }), mode: 0o640 });
  }

  get url(): string {
    return `${this.house.origin.replace('http', 'ws')}${SOCKET_PATH}`;
  }

  async ticket(who: Credentials, form: Record<string, string> = {}): Promise<{ status: number; ticket: string }> {
    const { status, body } = await this.house.send('POST', TICKET_PATH, {
      session: who,
      headers: { accept: 'application/json' },
      form: { account: ACCOUNT, own_password: PASSWORD, ...form },
      over: { local: '127.0.0.1', remote: '127.0.0.1' },
    });
    return { status, ticket: body?.ticket ?? '' };
  }

  /** The same user with another session. */
  async anotherBrowser({ user }: Credentials): Promise<Pick<Credentials, 'cookie' | 'csrf'>> {
    const { services } = this.house;
    return services.store.write(async (tx) => {
      const { id } = await startSession(tx, services, user.id, '127.0.0.1', null);
      const sql = 'SELECT csrf_token FROM session WHERE user_id = ? ORDER BY rowid DESC';
      const row = await tx.one<{ csrf_token: string }>(sql, [user.id]);
      return { cookie: `groundcrew_session=${id}`, csrf: row!.csrf_token };
    });
  }

  knock(who: Pick<Credentials, 'cookie'> | null, asking: Asking = {}): Promise<number | TerminalClient> {
    const headers = { origin: this.house.origin, ...(who && { cookie: who.cookie }), ...asking.headers };
    return openTerminal(this.url, { ...asking, headers });
  }

  async connect(who: Pick<Credentials, 'cookie'>, asking: Asking = {}): Promise<TerminalClient> {
    const opened = await this.knock(who, asking);
    if (typeof opened === 'number') throw new Error(`refused with ${opened}`);
    return opened;
  }

  /** To the prompt of the operating system. */
  async prompted(who: Credentials, asking: Asking = {}): Promise<TerminalClient> {
    const { ticket } = await this.ticket(who);
    const client = await this.connect(who, asking);
    client.tell({ type: 'ticket', ticket, ...SIZE });
    return client;
  }

  async shell(who: Credentials, asking: Asking = {}): Promise<TerminalClient & { resume: string }> {
    const client = await this.prompted(who, asking);
    await client.next('prompt');
    client.tell({ type: 'answer', answers: [OS_PASSWORD] });
    const { resume } = await client.next('ready');
    return Object.assign(client, { resume });
  }

  async comeBack(who: Credentials, resume: string): Promise<TerminalClient> {
    const client = await this.connect(who);
    client.tell({ type: 'resume', token: resume, ...SIZE });
    return client;
  }

  /** Events about terminals, oldest first: `action` and details. */
  async audited(): Promise<{ action: string; detail: Record<string, unknown> }[]> {
    const rows = await this.house.services.store.all<{ action: string; detail: string }>(
      "SELECT action, detail FROM audit_event WHERE action LIKE 'terminal.%' ORDER BY seq",
    );
    return rows.map(({ action, detail }) => ({ action, detail: JSON.parse(detail) }));
  }

  async close(): Promise<void> {
    await this.house.close();
    await this.fake.stop();
  }
}
