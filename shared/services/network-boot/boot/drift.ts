// The differences between a saved host and the applied one. Of secrets only whether they differ, never their values.
import { pagePath } from '../../../ground/page-paths.ts';
import type { Blocker } from '../../../ground/problems.ts';
import type { Database } from '../../../ground/store/database.ts';
import type { AppliedHost } from '../manifest.ts';

/** The saved host with everything that it would install, as one row. */
export interface DesiredHost {
  id: string;
  hostname: string;
  mac_address: string;
  ip_address: string;
  enabled: number;
  variables_digest: string;
  kickstart: string | null;
  kickstart_id: string | null;
  text_revision: string | null;
  medium: string | null;
  media_id: string | null;
  content_digest: string | null;
}

export const DESIRED_HOST = `SELECT h.id, h.hostname, h.mac_address, h.ip_address, h.enabled, h.variables_digest,
    h.kickstart_id, k.name AS kickstart, k.text_revision, h.media_id, m.name AS medium, m.content_digest
  FROM network_boot_host h LEFT JOIN network_boot_kickstart k ON k.id = h.kickstart_id
    LEFT JOIN network_boot_medium m ON m.id = h.media_id`;

export async function readDesiredHost(db: Database, id: string): Promise<DesiredHost | null> {
  return (await db.one<DesiredHost>(`${DESIRED_HOST} WHERE h.id = ?`, [id])) ?? null;
}

export interface Difference {
  /** Member of the host. */
  member: string;
  label: string;
  /** In words that can be shown. */
  saved: string;
  applied: string;
}

type Read = (desired: DesiredHost, applied: AppliedHost) => readonly [saved: unknown, applied: unknown];

interface Compared {
  member: string;
  label: string;
  values: Read;
  /** Words to show in place of the values. */
  words?: Read;
}

const none = (value: string | null | undefined): string => value || 'none';
const short = (digest: string | null | undefined): string => (digest ? digest.slice(0, 12) : 'none');

const COMPARED: readonly Compared[] = [
  { member: 'hostname', label: 'Host name', values: (d, { host }) => [d.hostname, host.hostname] },
  { member: 'mac_address', label: 'MAC address', values: (d, { host }) => [d.mac_address, host.mac_address] },
  { member: 'ip_address', label: 'Address', values: (d, { host }) => [d.ip_address, host.ip_address] },
  {
    member: 'kickstart_id',
    label: 'Kickstart',
    values: (d, { host }) => [d.kickstart_id, host.kickstart_id],
    words: (d, { kickstart }) => [none(d.kickstart), none(kickstart?.name)],
  },
  {
    member: 'kickstart_text',
    label: 'Text of the Kickstart',
    values: (d, { kickstart }) => [d.text_revision, kickstart?.revision ?? null],
    words: (d, { kickstart }) => [`revision ${short(d.text_revision)}`, `revision ${short(kickstart?.revision)}`],
  },
  {
    member: 'media_id',
    label: 'Installer medium',
    values: (d, { host }) => [d.media_id, host.media_id],
    words: (d, { medium }) => [none(d.medium), none(medium?.name)],
  },
  {
    member: 'media_content',
    label: 'Content of the medium',
    values: (d, { medium }) => [d.content_digest, medium?.content_digest ?? null],
    words: (d, { medium }) => [short(d.content_digest), short(medium?.content_digest)],
  },
  {
    member: 'variables',
    label: 'Variables',
    values: (d, { host }) => [d.variables_digest, host.variables_digest],
    words: () => ['changed', 'as applied'],
  },
  { member: 'enabled', label: 'In use', values: (d) => [d.enabled, 1], words: () => ['no', 'yes'] },
];

/**
 * Differences in the order of the host's form. Another Kickstart or medium is one difference, without its content.
 * Pure.
 */
export function differences(desired: DesiredHost, applied: AppliedHost): Difference[] {
  const found = COMPARED.filter(({ values }) => {
    const [saved, was] = values(desired, applied);
    return saved !== was;
  }).map(({ member, label, values, words = values }) => {
    const [saved, was] = words(desired, applied);
    return { member, label, saved: none(String(saved)), applied: none(String(was)) };
  });
  const other = (member: string) => found.some((each) => each.member === member);
  return found.filter(
    ({ member }) =>
      !(member === 'kickstart_text' && other('kickstart_id')) && !(member === 'media_content' && other('media_id')),
  );
}

/** The same as reasons of a refusal. */
export function driftBlockers({ id, hostname }: DesiredHost, found: readonly Difference[]): Blocker[] {
  return found.map(({ label, saved, applied }) => ({
    subject: `${label} of ${hostname}`,
    reason: saved === 'changed' ? 'Saved and applied differ.' : `Saved: ${saved}. Applied: ${applied}.`,
    page: pagePath('boot-host', id),
    unblock: 'Apply network boot, or save again what is applied.',
  }));
}
