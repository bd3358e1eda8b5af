// The credentials of a VCF Installer. It has no list of them, but the specification of its latest deployment has
// passwords in many places. Known components have users and addresses; anything else that looks like a password is
// shown as well, without guessing the rest.
import * as v from 'valibot';
import { askFor, faultOf, readJson } from './answers.ts';
import { isHost, type SourceCredential, uriOf } from './credential.ts';
import type { ApplianceSession } from './session.ts';
import { COMPONENTS, type Component, isNode, type Node, namesIn, type Slot } from './spec-components.ts';
import type { Question } from './transport.ts';

const idSchema = v.pipe(v.string(), v.regex(/^[\w.:-]{1,100}$/));
const deploymentSchema = v.looseObject({ id: idSchema, status: v.nullish(v.string(), '') });
const specSchema = v.record(v.string(), v.unknown());

const TASK_LIMIT = 4 * 1024 * 1024;
const SPEC_LIMIT = 2 * 1024 * 1024;
const MOST_NODES = 100_000;
const MOST_DEPTH = 32;

export interface Deployment {
  id: string;
  /** `COMPLETED_WITH_SUCCESS`, `IN_PROGRESS`, …; generated passwords are known only after success. */
  status: string;
}

export interface InstallerCredentials {
  sources: SourceCredential[];
  /** Null: nothing was deployed with this Installer. */
  deployment: Deployment | null;
}

export async function installerCredentials(
  session: ApplianceSession,
  signal?: AbortSignal,
): Promise<InstallerCredentials> {
  const deployment = await latestDeployment(session, signal);
  if (!deployment) return { sources: [], deployment };
  const path = `/v1/sddcs/${encodeURIComponent(deployment.id)}/spec`;
  const what = 'the specification of its latest deployment';
  const spec = await askFor(session, { method: 'GET', path, limit: SPEC_LIMIT, what, signal }, specSchema);
  return { sources: sourcesIn(spec), deployment };
}

async function latestDeployment(session: ApplianceSession, signal?: AbortSignal): Promise<Deployment | null> {
  const question: Question = {
    method: 'GET',
    path: '/v1/sddcs/latest',
    limit: TASK_LIMIT,
    what: 'its latest deployment',
    signal,
  };
  const answer = await session.ask(question);
  if (answer.status === 404 || answer.status === 204) return null;
  if (answer.status !== 200) throw faultOf(answer, question);
  const { id, status } = readJson(answer, deploymentSchema, question);
  return { id, status: (status ?? '').toUpperCase().replaceAll(' ', '_').slice(0, 60) };
}

/** Pure. */
export function sourcesIn(spec: Node): SourceCredential[] {
  const taken = new Set<string>();
  const known = COMPONENTS.flatMap((component) =>
    placesOf(spec, component.at).flatMap(({ node, path, existing }) =>
      Object.entries(component.slots).flatMap(([member, slot]) => {
        taken.add(`${path}.${member}`);
        return knownSource(spec, { component, node, path, existing, member, slot });
      }),
    ),
  );
  return [...known, ...otherSources(spec, taken)];
}

interface Place {
  component: Component;
  node: Node;
  path: string;
  existing: boolean;
  member: string;
  slot: Slot;
}

function knownSource(spec: Node, { component, node, path, existing, member, slot }: Place): SourceCredential[] {
  const value = textBelow(node, member);
  // A component that isn't part of this deployment, or one with an optional account: no candidate.
  if (value === null && (existing || slot.optional)) return [];
  const names = namesIn(node, component, slot).map((name) => qualified(spec, name));
  const uris = names.flatMap((name) => slot.schemes.flatMap((scheme) => uriOf(scheme, name)));
  const [first = ''] = names;
  const named = component.node ? qualified(spec, component.node(node)) : first;
  return [
    {
      source_id: `${path}.${member}`,
      username: typeof slot.username === 'string' ? slot.username : slot.username(node),
      value,
      resource_name: named || first || component.at,
      resource_type: component.type,
      credential_type: slot.type,
      uris,
      auto_rotated: false,
      no_value: 'generated',
    },
  ];
}

/** Short names are completed with the domain of the specification. */
function qualified(spec: Node, name: string): string {
  const domain = textAt(spec.dnsSpec as Node | undefined, 'subdomain');
  return name === '' || domain === null || isHost(name) ? name : `${name}.${domain}`;
}

interface At {
  value: unknown;
  path: string;
  /** The component, or its parent, existed before: this deployment made no password for it. */
  existing: boolean;
}

/** `vcfOperationsSpec.nodes[]`: every object at such a place, with its path. */
function placesOf(spec: Node, at: string): (At & { node: Node })[] {
  let places: At[] = [{ value: spec, path: '', existing: false }];
  for (const step of at.split('.')) {
    const member = step.replace('[]', '');
    places = places.flatMap(({ value, path, existing }) => {
      const next = isNode(value) && Object.hasOwn(value, member) ? value[member] : undefined;
      const whole = path === '' ? member : `${path}.${member}`;
      const items = step.endsWith('[]') ? listed(next, whole) : [{ value: next, path: whole }];
      return items.map((item) => ({
        ...item,
        existing: existing || (isNode(item.value) && item.value.useExistingDeployment === true),
      }));
    });
  }
  return places.flatMap((place) => (isNode(place.value) ? [{ ...place, node: place.value }] : []));
}

const listed = (list: unknown, path: string): { value: unknown; path: string }[] =>
  Array.isArray(list) ? list.map((value: unknown, n) => ({ value, path: `${path}[${n}]` })) : [];

const PASSWORD = /password$/i;
const USER = /^user_?name$|^user$/i;

/** Everything else whose name ends in `password`. Bounded: the document comes from another machine. */
function otherSources(spec: Node, taken: ReadonlySet<string>): SourceCredential[] {
  const found: SourceCredential[] = [];
  const seen = new Set(taken);
  const open: { value: unknown; path: string; depth: number; host: string }[] = [
    { value: spec, path: '', depth: 0, host: '' },
  ];
  for (let at = 0; at < open.length && at < MOST_NODES; at += 1) {
    const { value, path, depth, host } = open[at]!;
    if (depth > MOST_DEPTH || typeof value !== 'object' || value === null) continue;
    const node = value as Node;
    const near = textAt(node, 'hostname') ?? textAt(node, 'fqdn') ?? host;
    for (const [member, item] of Object.entries(node)) {
      const whole = Array.isArray(value) ? `${path}[${member}]` : path === '' ? member : `${path}.${member}`;
      if (typeof item === 'object' && open.length < MOST_NODES)
        open.push({ value: item, path: whole, depth: depth + 1, host: near });
      else if (typeof item === 'string' && item !== '' && PASSWORD.test(member) && !seen.has(whole)) {
        // Names with dots in them can make two places read the same: the first one counts.
        seen.add(whole);
        found.push(otherSource(spec, { node, member, path: whole, host: near }));
      }
    }
  }
  return found;
}

function otherSource(
  spec: Node,
  { node, member, path, host }: { node: Node; member: string; path: string; host: string },
): SourceCredential {
  const beside = Object.keys(node).find((name) => USER.test(name));
  const [section = ''] = path.split(/[.[]/);
  return {
    source_id: path,
    username: (beside && textAt(node, beside)) || /^(root|admin|audit)/i.exec(member)?.[0].toLowerCase() || null,
    value: textAt(node, member),
    resource_name: qualified(spec, host) || section,
    resource_type: section.replace(/Specs?$/, '') || 'unknown',
    credential_type: '',
    uris: [],
    auto_rotated: false,
  };
}

/** `credentials.password` of an object. */
function textBelow(node: Node, path: string): string | null {
  const steps = path.split('.');
  const member = steps.pop()!;
  let holder: unknown = node;
  for (const step of steps) holder = isNode(holder) && Object.hasOwn(holder, step) ? holder[step] : undefined;
  return isNode(holder) ? textAt(holder, member) : null;
}

/** A text that isn't empty. */
function textAt(node: Node | undefined | null, member: string): string | null {
  const value = isNode(node) && Object.hasOwn(node, member) ? node[member] : null;
  return typeof value === 'string' && value !== '' ? value : null;
}
