// Leases of imports as vSphere keeps them and the simulator doesn't: they take a while to become ready, end when nobody
// tells progress in time, and take the machine with them when they fail.
import { randomUUID } from 'node:crypto';
import { answered, localizedXml, type Ref, refXml, type SaidFault } from './wire.ts';

export interface SeenUpload {
  lease: string;
  /** `disk-0.vmdk`. */
  file: string;
  /** As the References of the OVF have it. */
  path: string;
  /** `POST /nfc/…` without the ticket. */
  method: string;
  headers: Record<string, string | undefined>;
  /** What the headers announced. */
  announced: number | null;
  bytes: number;
  /** Null until the whole body came. */
  sha256: string | null;
  sha1: string | null;
  status: number | null;
  began: number;
  ended: number | null;
}

export interface LeaseFile {
  key: string;
  import_key: string;
  /** `disk-0.vmdk`. */
  name: string;
  disk: boolean;
  /** As the References of the OVF have it. */
  path: string;
  /** As the descriptor says. */
  size: number | null;
}

/** `gone`: forgotten, as after a restart of the server. */
export type LeaseStateName = 'initializing' | 'ready' | 'done' | 'error' | 'gone';

export interface SeenLease {
  id: string;
  /** Key of the session that it belongs to. */
  session: string;
  machine: Ref;
  machine_name: string;
  state: LeaseStateName;
  error: SaidFault | null;
  /** Part of the URLs: whoever has it may write. */
  ticket: string;
  files: LeaseFile[];
  /** `https://host:port` of its URLs. */
  authority: string;
  thumbprint: string;
  certificate: string | null;
  /** Each call, with its time (performance.now()). */
  progress: { percent: number; at: number }[];
  created: number;
  ended: number | null;
  /** Whether the machine was removed with it. */
  removed: boolean;
}

export interface LeaseRules {
  initializing_ms: number;
  /** Instead of a time: what it waits for. */
  initializing_until: Promise<void> | null;
  /** Seconds. */
  lease_timeout: number;
  /** What it fails with instead of becoming ready. */
  lease_error: SaidFault | null;
  /** Which sessions reach a lease: the one that made it, or every one. */
  lease_sessions: 'own' | 'any';
}

export interface Leases {
  all: SeenLease[];
  open(
    lease: Omit<SeenLease, 'state' | 'error' | 'progress' | 'created' | 'ended' | 'removed' | 'ticket'>,
    fails: SaidFault | null,
  ): void;
  /** Null for the session: whichever. */
  get(id: string, session: string | null): SeenLease | undefined;
  byTicket(ticket: string): SeenLease | undefined;
  /** Whether nobody may change the machine meanwhile. */
  holds(machine: Ref): boolean;
  /** Answers of its methods and of its properties; a fault otherwise. */
  call(lease: SeenLease, method: string, percent: number): string | SaidFault;
  properties(lease: SeenLease): Record<string, string>;
  /** Ends with an error, as when its time is over. */
  fail(lease: SeenLease, error: SaidFault): Promise<void>;
  /** As after a restart of the server: nobody knows them, and what they had created stays. */
  forget(): void;
  stop(): void;
}

export const TIMED_OUT: SaidFault = { type: 'Timedout', message: 'The lease timed out.' };

export function leases(
  rules: LeaseRules,
  uploads: readonly SeenUpload[],
  { remove, cut }: { remove: (machine: Ref) => Promise<void>; cut: (ticket: string) => void },
): Leases {
  const all: SeenLease[] = [];
  const timers = new Map<string, NodeJS.Timeout>();

  const arm = (lease: SeenLease) => {
    clearTimeout(timers.get(lease.id));
    timers.set(lease.id, setTimeout(() => void made.fail(lease, TIMED_OUT), rules.lease_timeout * 1000).unref());
  };
  const end = (lease: SeenLease, state: LeaseStateName) => {
    clearTimeout(timers.get(lease.id));
    lease.state = state;
    lease.ended = performance.now();
  };
  const missing = (lease: SeenLease): LeaseFile[] =>
    lease.files.filter(
      (file) => !uploads.some((each) => each.lease === lease.id && each.file === file.name && each.sha256),
    );

  const METHODS: Readonly<Record<string, (lease: SeenLease, percent: number) => string | SaidFault>> = {
    HttpNfcLeaseProgress(lease, percent) {
      if (lease.state !== 'ready' && lease.state !== 'initializing') return overOf(lease);
      lease.progress.push({ percent, at: performance.now() });
      if (lease.state === 'ready') arm(lease);
      return '';
    },
    HttpNfcLeaseComplete(lease) {
      if (lease.state !== 'ready') return overOf(lease);
      if (missing(lease).length > 0) return { type: 'InvalidState', message: 'Files of the import are missing.' };
      end(lease, 'done');
      return '';
    },
    HttpNfcLeaseAbort(lease) {
      if (lease.state !== 'ready' && lease.state !== 'initializing') return overOf(lease);
      void made.fail(lease, { type: 'RequestCanceled', message: 'The import was given up by a client.' });
      return '';
    },
    HttpNfcLeaseGetManifest(lease) {
      if (lease.state !== 'ready') return overOf(lease);
      return lease.files
        .flatMap((file) => {
          const sent = uploads.findLast((each) => each.lease === lease.id && each.file === file.name && each.sha256);
          if (!sent) return [];
          const sums = `<sha1>${sent.sha1}</sha1><checksum>${sent.sha256}</checksum><checksumType>sha256</checksumType>`;
          return `<returnval><key>${file.key}</key>${sums}<size>${sent.bytes}</size><disk>${file.disk}</disk></returnval>`;
        })
        .join('');
    },
  };

  const made: Leases = {
    all,
    open(given, fails) {
      const times = { created: performance.now(), ended: null, removed: false };
      const lease: SeenLease = {
        ...given,
        ...times,
        ticket: randomUUID(),
        state: 'initializing',
        error: null,
        progress: [],
      };
      all.push(lease);
      const ready = () => {
        if (lease.state !== 'initializing') return;
        const error = fails ?? rules.lease_error;
        if (error) return void made.fail(lease, error);
        lease.state = 'ready';
        arm(lease);
      };
      if (rules.initializing_until) void rules.initializing_until.then(ready);
      else if (rules.initializing_ms === 0 && !fails && !rules.lease_error) ready();
      else timers.set(lease.id, setTimeout(ready, rules.initializing_ms).unref());
    },
    get: (id, session) =>
      all.find(
        (lease) =>
          lease.id === id &&
          lease.state !== 'gone' &&
          (session === null || session === lease.session || rules.lease_sessions === 'any'),
      ),
    holds: (machine) => all.some((lease) => lease.machine.id === machine.id && lease.ended === null),
    byTicket: (ticket) => all.find((lease) => lease.ticket === ticket),
    call(lease, method, percent) {
      const said = METHODS[method]?.(lease, percent) ?? { type: 'MethodNotFound' };
      return typeof said === 'string' ? answered(method, said) : said;
    },
    properties: (lease) => ({
      ...(lease.state === 'initializing' && { initializeProgress: '<val xsi:type="xsd:int">50</val>' }),
      ...(lease.error && { error: localizedXml('val', lease.error) }),
      ...(lease.state === 'ready' && { info: infoXml(lease, rules.lease_timeout) }),
      state: `<val xsi:type="HttpNfcLeaseState">${lease.state}</val>`,
    }),
    async fail(lease, error) {
      if (lease.ended !== null) return;
      end(lease, 'error');
      lease.error = error;
      lease.removed = true;
      cut(lease.ticket);
      await remove(lease.machine).catch(() => undefined);
    },
    forget() {
      for (const lease of all) end(lease, 'gone');
    },
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
  return made;
}

const overOf = (lease: SeenLease): SaidFault =>
  lease.error?.type === 'Timedout'
    ? TIMED_OUT
    : { type: 'InvalidState', message: `The lease is in state ${lease.state}.` };

const infoXml = (lease: SeenLease, timeout: number): string => {
  const urls = lease.files.map((file) => {
    const keys = `<key>${file.key}</key><importKey>${file.import_key}</importKey>`;
    const url = `<url>${lease.authority}/nfc/${lease.ticket}/${file.name}</url><sslThumbprint>${lease.thumbprint}</sslThumbprint>`;
    const certificate = lease.certificate === null ? '' : `<sslCertificate>${lease.certificate}</sslCertificate>`;
    return `<deviceUrl>${keys}${url}${certificate}<disk>${file.disk}</disk><targetId>${file.name}</targetId></deviceUrl>`;
  });
  const ref = { type: 'HttpNfcLease', id: lease.id };
  const head = `${refXml('lease', ref)}${refXml('entity', lease.machine)}${urls.join('')}`;
  return `<val xsi:type="HttpNfcLeaseInfo">${head}<totalDiskCapacityInKB>16384</totalDiskCapacityInKB><leaseTimeout>${timeout}</leaseTimeout></val>`;
};
