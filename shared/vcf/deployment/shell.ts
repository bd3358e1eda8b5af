// What a deployment uses of its surroundings, and its times: tests replace them.

import { execProgram } from '../../ground/machine/exec.ts';
import type { Services } from '../../kernel/operation/services.ts';
import type { Answered } from '../../services/dns-dhcp/dns-question.ts';
import { dnsQuestion, parsed } from '../../services/dns-dhcp/probe.ts';
import { observeTarget } from '../connection/reach.ts';
import type { Target } from '../connection/target.ts';
import { answeringAt } from '../names/answering.ts';
import { type AskedTime, askTime } from './ask-time.ts';

type Shell = Pick<Services, 'host'>;

/** Network requests of a check, which its gate has to permit first. Only `tls` rejects. */
export interface Questions {
  /** `name/TYPE` to one name server. */
  dns(server: string, questions: readonly string[]): Promise<Answered[]>;
  time(servers: readonly string[]): Promise<AskedTime[]>;
  /** Address → what answers there already. */
  inUse(addresses: readonly string[]): Promise<{ address: string; said: string }[]>;
  /** Looks at a certificate within the policy of targets. @throws Problem 409 */
  tls(target: Target): Promise<ShownCertificate>;
}

/** Digests of its DER, with colons. */
export interface ShownCertificate {
  sha256: string;
  sha1?: string;
  address?: string;
}

export interface DeploymentShell {
  questions: Questions;
  /** Between two words to a lease, milliseconds; it ends without them after minutes. */
  progress_ms: number;
  /** In which something of an upload must move, milliseconds. */
  upload_idle_ms: number;
  /** Between two looks at the new appliance, milliseconds. */
  look_ms: number;
  /** How long it may take to answer, seconds. */
  wait_seconds: number;
  /**
   * After so long without a word a target ends a lease that did not say it otherwise, seconds; and some more for doing
   * it.
   */
  lease_seconds: number;
  lease_slack_seconds: number;
  /** Where its API answers. */
  appliance_port: number;
}

const DNS_PORT = 53;
/** Of a companion; each question ends by itself after one second. */
const LIMIT = 5000;
/** For a look at a certificate. */
const TLS_MS = 5000;

const standing = new WeakMap<object, Partial<DeploymentShell>>();

/** Tests only: replaces parts of the real ones. */
export function replaceInShell(services: Pick<Services, 'store'>, part: Partial<DeploymentShell>): void {
  standing.set(services.store, { ...standing.get(services.store), ...part });
}

export function deploymentShell(services: Services): DeploymentShell {
  return {
    questions: questionsOf(services),
    progress_ms: 5000,
    upload_idle_ms: 120_000,
    look_ms: 10_000,
    wait_seconds: 90 * 60,
    lease_seconds: 300,
    lease_slack_seconds: 30,
    appliance_port: 443,
    ...standing.get(services.store),
  };
}

function questionsOf(services: Services): Questions {
  return {
    dns: (server, questions) => askNames(services, server, questions),
    time: (servers) => Promise.all(servers.map((server) => askTime(server))),
    inUse: (addresses) =>
      answeringAt(
        services.host,
        addresses.map((address) => ({ address })),
      ),
    async tls(target) {
      const { certificate, address } = await observeTarget(services, target, { timeout: TLS_MS });
      return { sha256: certificate.sha256, sha1: certificate.sha1, address };
    },
  };
}

/**
 * Sends from where the appliance's own services run, which may be a network namespace; a rehearsal sends from this
 * process.
 */
async function askNames({ host }: Shell, server: string, questions: readonly string[]): Promise<Answered[]> {
  const args = [dnsQuestion(), `${DNS_PORT}`, server, ...questions];
  const run = host.enforces ? host.exec : execProgram;
  return parsed((await run(process.execPath, args, { timeout: LIMIT })).stdout);
}
