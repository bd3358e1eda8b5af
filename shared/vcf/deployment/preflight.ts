// The checks before a deployment is queued: the OVA, the place, the way there, names, clocks, and the extras for the
// new appliance. They change nothing. A refused check says what to do.

import { knownOva } from '../../ground/ova/known-ova.ts';
import { propertyValues } from '../../ground/ova/property-values.ts';
import type { OvaPackage } from '../../ground/ova/types.ts';
import { Problem } from '../../ground/problems.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { appliancePath } from '../../services/offline-depot/appliances/appliances.ts';
import { loadTargetPolicy } from '../connection/policy-store.ts';
import { clientFor } from '../connection/reach.ts';
import { type Inventory, readInventory } from '../vsphere/inventory.ts';
import { openVsphere, type VsphereCredential } from '../vsphere/session.ts';
import { type Addressing, addressingOf } from './addressing.ts';
import { blockersOf, type Check, counted, ok, refused } from './check.ts';
import { checkExtras } from './checks/extras.ts';
import { checkInUse, checkNames } from './checks/names.ts';
import { checkNetworks, checkOva, checkProperties } from './checks/ova.ts';
import { checkHost, checkName, checkSpace } from './checks/placement.ts';
import { checkUploadHosts } from './checks/reach.ts';
import { checkClock, checkNtp } from './checks/time.ts';
import { type Gate, gateOf } from './gate.ts';
import { Looks } from './looks.ts';
import type { DeploymentRequest } from './request.ts';
import { deploymentShell, type Questions } from './shell.ts';

export interface Typed {
  login: VsphereCredential;
  /** Values of secret properties, by full key. */
  properties: Record<string, string>;
  depot_password: string | null;
}

export interface PreflightOptions {
  signal?: AbortSignal | undefined;
  /** Default: those of the service. */
  questions?: Questions;
  /** Counts and records machines that are looked at beside the target. Default: not counted. */
  looks?: Looks;
}

export interface Preflight {
  checks: Check[];
  /** No check is refused. */
  passed: boolean;
}

const TARGET = ['target', 'Target'] as const;
/** For all of it, milliseconds. */
const LIMIT_MS = 60_000;

/**
 * Slow: for an operation's `prepare`. Faults of the deployment are refused checks, not errors.
 * @throws Problem 429 when the user has no looks left
 */
export async function preflight(
  services: Services,
  request: DeploymentRequest,
  typed: Typed,
  { signal: given, questions = deploymentShell(services).questions, looks = new Looks() }: PreflightOptions = {},
): Promise<Preflight> {
  const late = AbortSignal.timeout(LIMIT_MS);
  const signal = given ? AbortSignal.any([given, late]) : late;
  const pkg = await packageOf(services, request, signal);
  const sound = pkg instanceof Error ? null : pkg;
  const gate = gateOf(await loadTargetPolicy(services.store, services));
  const asked = { services, request, questions, looks, gate, signal };
  const both = [checksOfTarget(asked, typed.login, sound), sound ? checksOfPackage(asked, typed, sound) : []] as const;
  // All requests have ended when this answers, even if one of them fails.
  await Promise.allSettled(both);
  const [target, own] = await Promise.all(both);
  const checks = [checkOva(request, pkg), ...target, ...own];
  return { checks, passed: checks.every(({ state }) => state !== 'refused') };
}

/** @param page where the deployment is prepared. @throws Problem 409 `preflight_refused` with every refused check */
export function requirePassed({ checks, passed }: Pick<Preflight, 'checks' | 'passed'>, page: string): void {
  if (passed) return;
  const blockers = blockersOf(checks, page);
  const detail = `${counted(blockers.length, 'check')} refused. Nothing was queued, and nothing was changed at the target.`;
  throw new Problem('preflight_refused', detail, { blockers });
}

interface Asked {
  services: Services;
  request: DeploymentRequest;
  questions: Questions;
  looks: Looks;
  gate: Gate;
  signal: AbortSignal;
}

async function packageOf(
  services: Services,
  { ova }: DeploymentRequest,
  signal: AbortSignal,
): Promise<OvaPackage | Problem> {
  try {
    return await knownOva(await appliancePath(services, ova.file), signal);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

interface Seen {
  inventory: Inventory;
  theirs: Date;
  /** Our clock in the middle of the question. */
  ours: Date;
}

async function checksOfTarget(asked: Asked, login: VsphereCredential, pkg: OvaPackage | null): Promise<Check[]> {
  const { request, signal } = asked;
  let seen: Seen;
  try {
    seen = await seenAt(asked, login);
  } catch (error) {
    if (error instanceof Problem) return [refused(TARGET, error.message, 'Go back to the server and the login.')];
    if (signal.aborted) return [refused(TARGET, 'It did not answer in time.', 'Try again.')];
    throw error;
  }
  const { inventory, theirs, ours } = seen;
  const { name, version, build } = inventory.about;
  return [
    ok(TARGET, `${name} ${version} build ${build}.`),
    checkClock(theirs, ours),
    checkName(request, inventory),
    checkHost(request, inventory),
    ...(pkg ? [checkSpace(request, inventory, pkg)] : []),
    await checkUploadHosts(asked, request, inventory),
  ];
}

async function seenAt({ services, request, signal }: Asked, login: VsphereCredential): Promise<Seen> {
  const client = await clientFor(services, request.target);
  try {
    const session = await openVsphere(client, login, { signal });
    try {
      const before = services.clock.now().getTime();
      const theirs = await session.currentTime(signal);
      const ours = new Date((before + services.clock.now().getTime()) / 2);
      return { inventory: await readInventory(session, { signal }), theirs, ours };
    } finally {
      await session.logout();
    }
  } finally {
    client.close();
  }
}

async function checksOfPackage(asked: Asked, typed: Typed, pkg: OvaPackage): Promise<Check[]> {
  const { services, request } = asked;
  const values = { ...request.properties, ...typed.properties };
  const addressing = addressingFrom(request, pkg, values);
  const [names, used, times, extras] = await Promise.all([
    checkNames(asked, addressing, request.extras.dns),
    checkInUse(asked, addressing),
    checkNtp(asked, addressing),
    checkExtras(services, request, addressing, typed.depot_password),
  ]);
  const own = [checkNetworks(request, pkg), checkProperties(request, pkg, values)];
  return [...own, ...names, ...used, ...times, ...extras];
}

function addressingFrom(
  { deployment_option }: DeploymentRequest,
  { descriptor }: OvaPackage,
  typed: Record<string, string>,
): Addressing {
  const { environment } = propertyValues(descriptor, deployment_option, typed);
  return addressingOf(descriptor, new Map(environment.map(({ key, value }) => [key, value])));
}
