// What an installer would see: queries the applied name service for every name, forward and reverse, and tests whether
// something answers at the planned addresses already. Changes nothing.

import type { Host } from '../../ground/machine/host.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { loadBaseline } from '../../platform/applied/baseline.ts';
import { unitStates } from '../../platform/applied/unit-state.ts';
import type { DnsDhcpDesired } from '../../services/dns-dhcp/desired.ts';
import type { Answered } from '../../services/dns-dhcp/dns-question.ts';
import { dnsQuestion, parsed, serversOf } from '../../services/dns-dhcp/probe.ts';
import { answeringAt } from './answering.ts';
import { type Asked, judgeAnswers } from './installer-view.ts';
import type { Check, Preview } from './schemas.ts';

const PORT = '53';
/** Milliseconds; each question ends by itself after one second. */
const LIMIT = 5_000;

type Shell = Pick<Services, 'host' | 'store' | 'settings'>;

export async function check(services: Shell, { rows }: Preview): Promise<Check> {
  const saved = rows.filter(({ state }) => state === 'existing');
  const asked = saved.flatMap(({ component, label, fqdn, addresses }) =>
    addresses.map(({ type, address, reverse_name }) => ({ component, label, fqdn, type, address, reverse_name })),
  );
  const missing = rows.filter(({ state }) => state !== 'existing').map(({ fqdn }) => fqdn);
  const planned = rows.flatMap(({ state, fqdn, addresses }) =>
    state === 'planned' ? addresses.map(({ address }) => ({ address, fqdn })) : [],
  );
  const [names, in_use] = await Promise.all([askNames(services, asked), answeringAt(services.host, planned)]);
  const passed = names.rows.length > 0 && missing.length === 0 && names.rows.every(({ fault }) => fault === '');
  return { ...names, passed, missing, in_use, in_use_asked: services.host.enforces ? planned.length : 0 };
}

type Names = Pick<Check, 'server' | 'why_not' | 'rows'>;
const nobody = (why_not: string): Names => ({ server: null, why_not, rows: [] });

async function askNames(services: Shell, asked: readonly Asked[]): Promise<Names> {
  const { host } = services;
  if (!host.enforces) return nobody('Rehearsal: no name server runs, so there is nobody to ask.');
  const applied = await appliedNames(services);
  if (!applied) return nobody('The name service was never applied; apply DNS and DHCP first.');
  if (!applied.settings.enabled) return nobody('The name service is off in the applied state.');
  const [server] = await serversOf(host, applied);
  if (server === undefined) return nobody('The applied name service has no address to ask.');
  if (asked.length === 0) return { ...nobody('None of the names has a saved address record.'), server };
  return { server, why_not: '', rows: judgeAnswers(asked, await ask(host, server, asked)) };
}

async function appliedNames({ store, settings }: Shell): Promise<Pick<DnsDhcpDesired, 'settings' | 'listen'> | null> {
  const digest = (await unitStates(store)).get('dns-dhcp')?.entries_digest;
  if (!digest) return null;
  const { remembered } = await loadBaseline(settings.data, digest);
  return remembered as Pick<DnsDhcpDesired, 'settings' | 'listen'> | null;
}

async function ask(host: Host, server: string, asked: readonly Asked[]): Promise<Answered[]> {
  const questions = asked.flatMap(({ fqdn, type, reverse_name }) => [`${fqdn}/${type}`, `${reverse_name}/PTR`]);
  const args = [dnsQuestion(), PORT, server, ...new Set(questions)];
  return parsed((await host.exec(process.execPath, args, { timeout: LIMIT })).stdout);
}
