// From the bytes of a request to those of its answer. Nothing that a client sends ends the process, and no failure of one batch
// item touches another.
import { Problem } from '../../../ground/problems.ts';
import {
  isSpoken,
  KmipFailure,
  type Request,
  type RequestItem,
  type ResponseItem,
  readRequest,
  VERSIONS,
  type Version,
  writeResponse,
} from '../protocol/message.ts';
import { type OperationName, operationNamed, REASON } from '../protocol/tags.ts';
import type { Caller } from './caller.ts';
import { activate, addAttribute, deleteAttribute, destroy, modifyAttribute, revoke } from './changing.ts';
import { create, register } from './making.ts';
import { type Done, type KmsShell, nowOf, type Operating } from './operating.ts';
import { get, getAttributeList, getAttributes, locate } from './reading.ts';
import { discoverVersions, query } from './server-operations.ts';
import type { Told } from './trace.ts';

type KeyOperation = Exclude<OperationName, 'DiscoverVersions' | 'Query'>;

const KEY_OPERATIONS: Readonly<Record<KeyOperation, (operating: Operating) => Promise<Done>>> = {
  Create: create,
  Register: register,
  Locate: locate,
  Get: get,
  GetAttributes: getAttributes,
  GetAttributeList: getAttributeList,
  AddAttribute: addAttribute,
  ModifyAttribute: modifyAttribute,
  DeleteAttribute: deleteAttribute,
  Activate: activate,
  Revoke: revoke,
  Destroy: destroy,
};

export interface Answered {
  bytes: Buffer;
  /** After a message that could not be read nobody knows where the next one begins. */
  ends: boolean;
  told: Told[];
}

/** `state`: digest of the state that is served, for our own probe. Never throws. */
export async function answer(
  services: KmsShell,
  caller: Caller,
  bytes: Buffer,
  state: string | null,
): Promise<Answered> {
  const began = performance.now();
  let request: Request;
  try {
    request = readRequest(bytes);
  } catch (error) {
    const failure = failureOf(services, error);
    const item = { operation: null, batch_id: null, result: failure };
    const told = toldOf(caller, '', '(unreadable)', failure, began);
    return { bytes: writeResponse(VERSIONS[0]!, services.clock.now(), [item]), ends: true, told: [told] };
  }
  const version = `${request.version.major}.${request.version.minor}`;
  const answers: ResponseItem[] = [];
  const told: Told[] = [];
  let placeholder: string | null = null;
  for (const item of request.items) {
    const start = performance.now();
    const result = await itemResult(services, caller, { request, item, placeholder, state });
    if (!(result instanceof KmipFailure)) placeholder = result.key_id ?? placeholder;
    answers.push({ operation: item.operation, batch_id: item.batch_id, result });
    const name = operationNamed(item.operation) ?? `(operation ${item.operation})`;
    told.push(toldOf(caller, version, name, result, start));
  }
  const spoken = isSpoken(request.version) ? request.version : VERSIONS[0]!;
  return { ...written(services, spoken, answers), told };
}

/** What can't be written is told of as one failure: a value that no answer can have ends no process. */
function written(
  services: KmsShell,
  version: Version,
  answers: readonly ResponseItem[],
): Pick<Answered, 'bytes' | 'ends'> {
  const now = services.clock.now();
  try {
    return { bytes: writeResponse(version, now, answers), ends: false };
  } catch (error) {
    const item = { operation: null, batch_id: null, result: failureOf(services, error) };
    return { bytes: writeResponse(version, now, [item]), ends: true };
  }
}

interface Asked {
  request: Request;
  item: RequestItem;
  placeholder: string | null;
  state: string | null;
}

async function itemResult(services: KmsShell, caller: Caller, asked: Asked): Promise<Done | KmipFailure> {
  try {
    return await run(services, caller, asked);
  } catch (error) {
    return failureOf(services, error);
  }
}

async function run(
  services: KmsShell,
  caller: Caller,
  { request: { version }, item: { operation, payload }, placeholder, state }: Asked,
): Promise<Done> {
  const name = operationNamed(operation);
  if (name === undefined) throw new KmipFailure(REASON.operationNotSupported, 'This operation is not offered here.');
  if (name === 'DiscoverVersions') return { payload: discoverVersions(payload) };
  const { provider } = caller;
  if (name === 'Query') return { payload: query(payload, vendorOf(services, provider === null ? state : null)) };
  if (provider === null) throw new KmipFailure(REASON.permissionDenied, 'The probe asks for no key.');
  const now = nowOf(services);
  return KEY_OPERATIONS[name]({ services, caller, provider, version, payload, placeholder, now });
}

const vendorOf = ({ settings: { version } }: KmsShell, state: string | null): string =>
  `Groundcrew ${version}${state === null ? '' : ` applied ${state}`}`;

/** What is told of anything that went wrong. What is not the client's fault is logged, with nothing of the request. */
function failureOf({ logger }: KmsShell, error: unknown): KmipFailure {
  if (error instanceof KmipFailure) return error;
  const { code = '', message } = error as { code?: string; message: string };
  logger.error('a request of KMIP failed', { failure: { message } });
  if (error instanceof Problem && error.code === 'vault_keys_unusable')
    return new KmipFailure(REASON.cryptographicFailure, 'The keys of the vaults can’t be used here.');
  if (code === 'SQLITE_FULL' || (error instanceof Problem && error.code === 'storage_full'))
    return new KmipFailure(REASON.generalFailure, 'The disk has no room. Nothing was kept.');
  return new KmipFailure(REASON.generalFailure, 'The server could not do this. Nothing was kept.');
}

function toldOf(
  { provider, client, source_address }: Caller,
  version: string,
  operation: string,
  result: Done | KmipFailure,
  began: number,
): Told {
  const failed = result instanceof KmipFailure;
  return {
    provider: provider?.name ?? '',
    client: client.name,
    source_address,
    version,
    operation,
    key_id: failed ? null : (result.key_id ?? null),
    attributes: failed ? [] : (result.attributes ?? []),
    result: failed ? result.message : 'success',
    took_ms: Math.round(performance.now() - began),
    got: !failed && result.got === true,
  };
}
