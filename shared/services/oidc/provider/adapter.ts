// The store as the library asks for it: one adapter a model. Each call is one statement, or a few in a transaction that it shares with
// those of others.
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import type { Transaction } from '../../../ground/store/database.ts';
import { type Points, pointReads } from '../../../ground/store/point-reads.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import {
  type Artifact,
  artifactPoints,
  artifactRow,
  consumeArtifact,
  findArtifact,
  keyOfId,
  keyOfUid,
  OF_GRANTS,
  type Payload,
  putArtifacts,
  removeArtifact,
  revokeGrant,
  type Seconds,
} from '../artifacts/artifacts.ts';
import type { GroupCommit, Kind } from '../artifacts/group-commit.ts';
import type { Write } from '../artifacts/one-statement.ts';
import { Unwritten } from '../artifacts/unwritten.ts';
import { Lately } from '../sessions/lately.ts';
import { forgetSession, noteSessions, type Seen, sessionRows } from '../sessions/sessions.ts';
import { beginSession, type Ending, keepProven, provenOf } from '../sessions/signing-in.ts';
import type { Carried } from './carried.ts';
import { isProbeSubject } from './probe-client.ts';
import type { ReadAhead } from './read-ahead.ts';

type Shell = Pick<Services, 'store' | 'keys' | 'entropy' | 'clock'>;

/** Seconds for which something of no stated lifetime is kept. */
const KEPT = 24 * 3600;
/** Milliseconds for which a code waits for a write that is made anyway: mostly that of its own token. Tests change it. */
export const codeWaits = { milliseconds: 250 };

interface Options {
  shell: Shell;
  writes: GroupCommit;
  /** Reads that the request which is answered now has begun before it asks for them. */
  ahead: ReadAhead;
  /** Its writes that the next one waits for. */
  carried: Carried;
  /** Begins to read the client that asks. */
  expectClient(): void;
  /** Begins to read this person, for this client. */
  expectPerson(sub: string, client: string | undefined): void;
  /** The client that asks in it. */
  asking(): string | undefined;
  /** The code that is redeemed in it. */
  redeeming(): string | undefined;
  /** A client as the library's metadata; null: there is none that may sign in. */
  client(id: string): Promise<Payload | null>;
  /** Two redeemed the same thing at once: called for the later one, whose grant is revoked. Throws what it is told. */
  replayed(): never;
  /** Whose session is saved, by the request that is answered now; null: it knows of nobody. */
  seen(): Seen | null;
  /** Who is signed in by this request, which uses a sign-in under way up; null: nobody is. */
  signingIn(): Ending | null;
  /** The sign-in was used before, or ended with all of the person. Throws what the browser is told. */
  overtaken(): never;
}

export function adapterFactory(shell: Shell, given: Omit<Options, 'shell'>): AdapterFactory {
  const options = { ...given, shell };
  const all = artifactsIn(shell, options);
  return (model) => (model === 'Client' ? clientAdapter(all, options) : artifactAdapter(all, model, options));
}

interface Saved extends Artifact {
  /** A session of a person, which the list of sessions has. */
  noted: boolean;
  seen: Seen | null;
}

const nothing = async (): Promise<undefined> => undefined;

function clientAdapter(all: ReturnType<typeof artifactsIn>, { client }: Options): Adapter {
  return {
    async find(id) {
      const found = client(id);
      all.expectOfCode(id);
      return ((await found) ?? undefined) as AdapterPayload | undefined;
    },
    ...{ upsert: nothing, findByUid: nothing, findByUserCode: nothing },
    ...{ consume: nothing, destroy: nothing, revokeByGrantId: nothing },
  };
}

/** Members of artifacts that lead to others. */
interface Known {
  accountId?: string;
  clientId?: string;
  grantId?: string;
  sessionUid?: string;
  authorizations?: Record<string, { grantId?: string }>;
}

/** What there is beside the database, of each one: a provider that is made anew goes on with it. */
interface Beside {
  unwritten: Unwritten;
  lately: Lately;
  /** What sessions led to when they were read last: likely still, and read with them. Whether it is, they say themselves. */
  led: Map<string, Known>;
}
const beside = new WeakMap<object, Beside>();
const LED_MOST = 10_000;

function besideOf({ store, clock }: Shell): Beside {
  const known = beside.get(store) ?? {
    unwritten: new Unwritten(),
    lately: new Lately(() => clock.now()),
    led: new Map(),
  };
  beside.set(store, known);
  return known;
}

/** What the library asks for next, once it knows this: begun before it does. */
function followerOf({ ahead, asking, expectPerson }: Options, { byId, byUid }: ArtifactPoints, store: Shell['store']) {
  const readAhead = (points: Points<Payload>, key: string) =>
    ahead.begin(key, () => pointReads(store).find(points, key));
  return (model: string, found: Known, client = asking()): void => {
    const { grantId, sessionUid, accountId, authorizations } = found;
    // With a grant, all that it goes with was asked for.
    if (accountId !== undefined && model !== 'Grant') expectPerson(accountId, client);
    if (model === 'Session') {
      const known = authorizations?.[client ?? '']?.grantId;
      if (known !== undefined) readAhead(byId, keyOfId('Grant', known));
    } else if (OF_GRANTS.includes(model)) {
      if (grantId !== undefined) readAhead(byId, keyOfId('Grant', grantId));
      if (sessionUid !== undefined) readAhead(byUid, keyOfUid(sessionUid));
    }
  };
}

type ArtifactPoints = ReturnType<typeof artifactPoints>;

/** What all models share: their reads, and their writes by kind. */
function artifactsIn(shell: Shell, options: Options) {
  const { writes, ahead, expectClient, redeeming } = options;
  const { store, clock } = shell;
  const { unwritten, lately, led } = besideOf(shell);
  const now = () => Math.floor(clock.now().getTime() / 1000);
  const points = artifactPoints(shell, now);
  const { byId, byUid } = points;
  const follow = followerOf(options, points, store);
  const find = async (points: Points<Payload>, key: string) => {
    const read = unwritten.find(key) ?? ahead.take(key) ?? pointReads(store).find(points, key);
    return ((await read) ?? undefined) as AdapterPayload | undefined;
  };
  const leads = (key: string, { accountId, authorizations }: Known) => {
    led.delete(key);
    if (accountId !== undefined) led.set(key, { accountId, ...(authorizations && { authorizations }) });
    if (led.size > LED_MOST) led.delete(led.keys().next().value!);
  };
  const findSession = async (key: string) => {
    const reading = find(byId, key);
    expectClient();
    const likely = led.get(key);
    if (likely) follow('Session', likely);
    const found = await reading;
    if (!found) {
      led.delete(key);
      return undefined;
    }
    leads(key, found as Known);
    follow('Session', found as Known);
    return found;
  };
  const { put, consume } = kindsOf(shell, now);
  return {
    async find(model: string, id: string) {
      const key = keyOfId(model, id);
      if (model === 'Session') return findSession(key);
      const found = await find(byId, key);
      if (found) follow(model, found as Known);
      return found;
    },
    /** All that a code goes with which is not written yet, together with its client. */
    expectOfCode(client: string) {
      const code = redeeming();
      const found = code === undefined ? null : (unwritten.find(keyOfId('AuthorizationCode', code)) as Known | null);
      if (found?.clientId === client) follow('AuthorizationCode', found, client);
    },
    findByUid: (uid: string) => find(byUid, keyOfUid(uid)),
    put: (item: Omit<Saved, 'expires_at'>, seconds: number) =>
      writes.add(put, { ...item, expires_at: now() + seconds }),
    /** Found from now on, and written with what comes next. */
    putLater(item: Omit<Saved, 'expires_at'>, seconds: number): void {
      const writing = writes.later(put, { ...item, expires_at: now() + seconds }, codeWaits.milliseconds);
      unwritten.keep(keyOfId(item.model, item.id), item.payload, writing);
    },
    lately,
    leads,
    now,
    consume: (item: Pick<Artifact, 'model' | 'id'>) => writes.add(consume, item),
  };
}

/** What is written most, by kind. */
function kindsOf(shell: Shell, now: () => Seconds) {
  const put: Kind<Saved, undefined> = {
    async write(tx, items) {
      await noteSessions(
        tx,
        shell,
        items.filter(({ noted }) => noted),
      );
      await putArtifacts(tx, shell, items);
      return [];
    },
    rows: (item) => ({
      writes: [
        ...(item.noted ? sessionRows(shell, item).map((row): Write => ['session', row]) : []),
        ['put', artifactRow(shell, item)],
      ],
      answer: undefined,
    }),
  };
  const consume: Kind<Pick<Artifact, 'model' | 'id'>, boolean> = {
    async write(tx, items) {
      const used: boolean[] = [];
      for (const { model, id } of items) used.push(await consumeOne(tx, shell, model, id, now()));
      return used;
    },
    rows: ({ model, id }) => ({ writes: [['consume', [keyOfId(model, id), now()]]], answer: true }),
  };
  return { put, consume };
}

/** Whether it was not consumed yet. One that was takes all with it that was given for it. */
async function consumeOne(tx: Transaction, shell: Shell, model: string, id: string, at: Seconds): Promise<boolean> {
  if (await consumeArtifact(tx, model, id, at)) return true;
  const found = await findArtifact(tx, shell, model, id, at);
  const { grantId = '' } = (found ?? {}) as { grantId?: string };
  await revokeGrant(tx, grantId);
  // What the earlier one is still being given opens nothing without it.
  await removeArtifact(tx, 'Grant', grantId);
  return false;
}

function artifactAdapter(all: ReturnType<typeof artifactsIn>, model: string, options: Options): Adapter {
  const { replayed, writes, carried } = options;
  const own = SPECIAL[model]?.(all, options) ?? {};
  return {
    async upsert(id, payload, seconds = KEPT) {
      await carriedOn(all.put({ model, id, payload: payload as Payload, ...NOBODY }, seconds), carried);
    },
    find: (id) => all.find(model, id),
    findByUid: all.findByUid,
    findByUserCode: nothing,
    consume: (id) =>
      carried.carry(all.consume({ model, id }).then((used) => (used ? undefined : replayed()))) as Promise<undefined>,
    destroy: (id) => writes.write((tx) => removeArtifact(tx, model, id)),
    revokeByGrantId: (grant) => writes.write((tx) => revokeGrant(tx, grant)),
    ...own,
  };
}

const NOBODY = { noted: false, seen: null } as const;

/** Waits for all that this request has written so far. */
async function carriedOn(writing: Promise<unknown>, carried: Carried): Promise<void> {
  writing.catch(() => undefined);
  await carried.settle();
  await writing;
}

/** Of a request that writes more, all in one commit: it waits before claims are told, and at the latest before it is answered. */
const together =
  (model: string): Own =>
  ({ put }, { carried }) => ({
    upsert: (id, payload, seconds = KEPT) =>
      carried.carry(put({ model, id, payload: payload as Payload, ...NOBODY }, seconds)) as Promise<undefined>,
  });

type Own = (all: ReturnType<typeof artifactsIn>, options: Options) => Partial<Adapter>;

/** What is another way with a model. */
const SPECIAL: Readonly<Record<string, Own>> = {
  AuthorizationCode: (all) => ({
    async upsert(id, payload, seconds = KEPT) {
      all.putLater({ model: 'AuthorizationCode', id, payload: payload as Payload, ...NOBODY }, seconds);
    },
  }),

  AccessToken: together('AccessToken'),
  RefreshToken: together('RefreshToken'),

  Session: ({ put, lately, leads }, { writes, seen, carried }) => ({
    async upsert(id, given, seconds = KEPT) {
      const payload = given as Payload;
      // The probe is nobody, whom no list has.
      const noted = !isProbeSubject((payload as Known).accountId ?? '');
      const who = noted ? seen() : null;
      if (lately.knows(id, payload, who)) return carried.settle() as Promise<undefined>;
      await carriedOn(put({ model: 'Session', id, payload, noted, seen: who }, seconds), carried);
      lately.note(id, payload, who);
      leads(keyOfId('Session', id), payload as Known);
    },
    async destroy(id) {
      lately.forget(id);
      await writes.write(async (tx) => {
        await forgetSession(tx, id);
        await removeArtifact(tx, 'Session', id);
      });
    },
  }),

  /** A sign-in under way: what ends all of a person ends it as well, from the look at the password to the session. */
  Interaction: ({ put, now }, { writes, carried, shell, signingIn, overtaken }) => ({
    async upsert(id, given, seconds = KEPT) {
      const payload = given as Payload;
      const proven = provenOf(payload);
      const artifact = { model: 'Interaction', id, payload };
      await carriedOn(
        proven === null
          ? put({ ...artifact, ...NOBODY }, seconds)
          : writes.write((tx) => keepProven(tx, shell, { ...artifact, expires_at: now() + seconds }, proven)),
        carried,
      );
    },
    async destroy(id) {
      const ending = signingIn();
      if (ending === null) return writes.write((tx) => removeArtifact(tx, 'Interaction', id)) as Promise<undefined>;
      if (!(await writes.write((tx) => beginSession(tx, shell, id, ending)))) overtaken();
    },
  }),
};
