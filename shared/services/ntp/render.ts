// From desired state to chronyd's files. Sources, clients and the local stratum have files of their own, so that a change
// of them needs no restart. chrony.conf(5).
import type { RenderedFile } from '../../ground/machine/host.ts';
import { certificateFiles } from '../../platform/certificate-authority/daemon-certificate.ts';
import { keyPath } from '../../platform/host/key-files.ts';
import { type NtpDesired, runs, type TimeSource } from './desired.ts';
import {
  CERTIFICATE_FILE,
  CLIENTS_FILE,
  CONF_FILE,
  CONF_FOLDER,
  KEY_NAME,
  LOCAL_FILE,
  PID_FILE,
  SOCKET,
  SOURCES_FILE,
  SOURCES_FOLDER,
  STATE_FOLDER,
} from './files.ts';
import { listening } from './listening.ts';

const HEADER = '# Written by Groundcrew from its desired state; edits are lost with the next apply.\n';

/** How the clock is set, whatever the settings say. */
const CLOCK = [
  // A clock that is far off is stepped at the start only: later, clients must never see the time jump.
  'makestep 1.0 3',
  'rtcsync',
  // Commands use the control socket alone, no UDP port.
  'cmdport 0',
];

function paths(resolve: (path: string) => string): string[] {
  return [
    `confdir ${resolve(CONF_FOLDER)}`,
    `sourcedir ${resolve(SOURCES_FOLDER)}`,
    `pidfile ${resolve(PID_FILE)}`,
    `bindcmdaddress ${resolve(SOCKET)}`,
    `driftfile ${resolve(STATE_FOLDER)}/drift`,
    // Cookies of NTS sources, so that a restart needs no new key exchange.
    `ntsdumpdir ${resolve(STATE_FOLDER)}`,
  ];
}

const serverLines = (desired: NtpDesired): string[] =>
  desired.settings.enabled ? listening(desired).bind.map((address) => `bindaddress ${address}`) : ['port 0'];

/** Lines for clients. In chronyd the more specific network wins, and of equal ones the later line. */
export function clientLines(desired: NtpDesired): string[] {
  const { refused } = listening(desired);
  const clients = desired.settings.allowed_clients.map((network) => `allow ${network}`);
  return [
    ...refused.map((network) => `deny ${network}`),
    ...(clients.length === 0 ? ['allow'] : clients),
    // For the appliance's own probe.
    'allow 127.0.0.1',
    'allow ::1',
  ];
}

/** The line of the local stratum; none at 0. */
export const localLines = ({ settings }: NtpDesired): string[] =>
  settings.local_stratum > 0 ? [`local stratum ${settings.local_stratum}`] : [];

/** Clients get their keys on TCP port 4460 of the same addresses. */
const ntsLines = ({ certificate }: NtpDesired, resolve: (path: string) => string): string[] =>
  certificate === null
    ? []
    : [`ntsservercert ${resolve(CERTIFICATE_FILE)}`, `ntsserverkey ${resolve(keyPath(KEY_NAME))}`];

/** One directive of a source. */
export function sourceLine({ address, kind, nts, prefer }: TimeSource): string {
  return [kind, address, 'iburst', ...(nts ? ['nts'] : []), ...(prefer ? ['prefer'] : [])].join(' ');
}

/** The unit's files; none while chronyd does not run. */
export function render(desired: NtpDesired, resolve: (path: string) => string): RenderedFile[] {
  if (!runs(desired)) return [];
  const conf = [
    ...paths(resolve),
    ...CLOCK,
    `minsources ${desired.settings.minimum_sources}`,
    ...serverLines(desired),
    ...ntsLines(desired, resolve),
  ];
  const file = (path: string, lines: readonly string[]): RenderedFile => ({
    path,
    content: HEADER + lines.map((line) => `${line}\n`).join(''),
    mode: 0o644,
  });
  return [
    file(CONF_FILE, conf),
    file(SOURCES_FILE, desired.sources.map(sourceLine)),
    ...(desired.settings.enabled
      ? [file(CLIENTS_FILE, clientLines(desired)), file(LOCAL_FILE, localLines(desired))]
      : []),
    ...(desired.certificate ? certificateFiles(KEY_NAME, CERTIFICATE_FILE, desired.certificate) : []),
  ];
}
