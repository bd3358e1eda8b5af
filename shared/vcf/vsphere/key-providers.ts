// Key providers of a vCenter (CryptoManagerKmip): which there are, registering a KMIP server as one, and the exchange of
// trust. A provider is called a cluster by this part of the API; all servers of one hold the same keys.
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../ground/problems.ts';
import { childOf, childrenOf, textOf, type XmlElement } from '../../ground/xml/element.ts';
import { VsphereFault } from './fault.ts';
import { retrieveOne } from './properties.ts';
import type { VsphereSession } from './session.ts';
import { booleanOf, localizedFault, numberOf, type ObjectRef, refOf, textXml } from './soap.ts';

export interface KmipServer {
  /** Unique in its provider. */
  name: string;
  /** Host name or address, where vCenter reaches it. */
  address: string;
  port: number;
}

export interface KeyProvider {
  id: string;
  servers: KmipServer[];
  is_default: boolean;
}

/** What vCenter says of one KMIP server. */
export interface KmipServerStatus {
  /** `green`, `yellow`, `red` or `gray`. */
  status: string;
  /** In vCenter's words; empty: none. */
  said: string;
  /** Null: not told. */
  trusts_server: boolean | null;
  trusted_by_server: boolean | null;
}

export interface KeyManager {
  session: VsphereSession;
  ref: ObjectRef;
}

/** Providers that are read. */
const MOST = 500;
/** Milliseconds between two looks at a task, and for all of it. */
const TASK = { every: 250, most: 60_000 };
const ROOT: ObjectRef = { type: 'ServiceInstance', id: 'ServiceInstance' };

/** @throws Problem 409 `remote_unsupported` for an ESX host, and where there is no key management */
export async function keyManagerOf(session: VsphereSession, signal: AbortSignal): Promise<KeyManager> {
  if (session.kind !== 'vcenter') {
    throw new Problem('remote_unsupported', 'This is an ESX host. Key providers are registered at a vCenter.');
  }
  const what = 'say where its key management is';
  const answer = await session.call({ method: 'RetrieveServiceContent', on: ROOT, what, signal });
  const ref = refOf(childOf(childOf(answer, 'returnval'), 'cryptoManager'));
  if (!ref)
    throw new Problem('remote_unsupported', 'This vCenter has no key management, or this account does not see it.');
  return { session, ref };
}

export async function listKeyProviders({ session, ref }: KeyManager, signal: AbortSignal): Promise<KeyProvider[]> {
  const inside = textXml('limit', MOST);
  const answer = await session.call({ method: 'ListKmipServers', on: ref, inside, what: 'list key providers', signal });
  const label = (element: XmlElement | null, name: string) => session.label(textOf(element, name) ?? '');
  return childrenOf(answer, 'returnval').map((one) => ({
    id: label(childOf(one, 'clusterId'), 'id'),
    is_default: booleanOf(textOf(one, 'useAsDefault')) === true,
    servers: childrenOf(one, 'servers').map((server) => ({
      name: label(server, 'name'),
      address: label(server, 'address'),
      port: numberOf(textOf(server, 'port')) ?? 0,
    })),
  }));
}

const idXml = (name: string, id: string): string => `<${name}>${textXml('id', id)}</${name}>`;
const serverXml = (element: string, { name, address, port }: KmipServer): string =>
  `<${element}>${textXml('name', name)}${textXml('address', address)}${textXml('port', port)}</${element}>`;

/** @throws VsphereFault `name_taken` */
export async function registerServer(
  { session, ref }: KeyManager,
  cluster: string,
  server: KmipServer,
  signal: AbortSignal,
): Promise<void> {
  const inside = `<server>${idXml('clusterId', cluster)}${serverXml('info', server)}</server>`;
  await session.call({ method: 'RegisterKmipServer', on: ref, inside, what: 'register the KMIP server', signal });
}

export async function removeServer(
  { session, ref }: KeyManager,
  cluster: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const inside = `${idXml('clusterId', cluster)}${textXml('serverName', name)}`;
  await session.call({ method: 'RemoveKmipServer', on: ref, inside, what: 'remove the KMIP server', signal });
}

/** The certificate that vCenter sees there, as PEM: it connects for this. */
export async function serverCertificate(
  { session, ref }: KeyManager,
  cluster: string,
  server: KmipServer,
  signal: AbortSignal,
): Promise<string> {
  const inside = `${idXml('keyProvider', cluster)}${serverXml('server', server)}`;
  const what = 'read the certificate of the KMIP server';
  const answer = await session.call({ method: 'RetrieveKmipServerCert', on: ref, inside, what, signal });
  return textOf(childOf(answer, 'returnval'), 'certificate') ?? '';
}

/** From then on vCenter takes the KMIP server that shows it. */
export async function trustServer(
  { session, ref }: KeyManager,
  cluster: string,
  pem: string,
  signal: AbortSignal,
): Promise<void> {
  const inside = `${idXml('cluster', cluster)}${textXml('certificate', pem)}`;
  const what = 'trust the certificate of the KMIP server';
  await session.call({ method: 'UploadKmipServerCert', on: ref, inside, what, signal });
}

/** A signing request as PEM. Its key stays there, and replaces that of an earlier request. */
export async function clientRequest(
  { session, ref }: KeyManager,
  cluster: string,
  signal: AbortSignal,
): Promise<string> {
  const inside = idXml('cluster', cluster);
  const what = 'make a signing request';
  const answer = await session.call({ method: 'GenerateClientCsr', on: ref, inside, what, signal });
  return textOf(answer, 'returnval') ?? '';
}

/** The certificate for the key of the last request. */
export async function giveClientCertificate(
  { session, ref }: KeyManager,
  cluster: string,
  pem: string,
  signal: AbortSignal,
): Promise<void> {
  const inside = `${idXml('cluster', cluster)}${textXml('certificate', pem)}`;
  const what = 'take its client certificate';
  await session.call({ method: 'UpdateKmsSignedCsrClientCert', on: ref, inside, what, signal });
}

/** What it has as a client of the provider, PEM: its certificate, and the last signing request. Empty: none. */
export async function clientHeld(
  { session, ref }: KeyManager,
  cluster: string,
  what: 'certificate' | 'request',
  signal: AbortSignal,
): Promise<string> {
  const method = what === 'certificate' ? 'RetrieveClientCert' : 'RetrieveClientCsr';
  const inside = idXml('cluster', cluster);
  const answer = await session.call({ method, on: ref, inside, what: `show its client ${what}`, signal });
  return textOf(answer, 'returnval') ?? '';
}

/** What new encryption takes its keys from. */
export async function markDefault({ session, ref }: KeyManager, cluster: string, signal: AbortSignal): Promise<void> {
  const inside = idXml('clusterId', cluster);
  await session.call({ method: 'MarkDefault', on: ref, inside, what: 'make it the default key provider', signal });
}

/** What vCenter finds when it connects now; null where it says nothing of this server. */
export async function serverStatus(
  { session, ref }: KeyManager,
  cluster: string,
  server: KmipServer,
  signal: AbortSignal,
): Promise<KmipServerStatus | null> {
  const what = 'tell the state of the key provider';
  const asked = `${idXml('clusterId', cluster)}${serverXml('servers', server)}${textXml('useAsDefault', false)}`;
  const inside = `<clusters>${asked}</clusters>`;
  const answer = await session.call({ method: 'RetrieveKmipServersStatus_Task', on: ref, inside, what, signal });
  const task = refOf(childOf(answer, 'returnval'));
  if (!task) throw new VsphereFault('unreadable', `The server gave no task for the request to ${what}.`);
  const result = await resultOf(session, task, what, signal);
  const found = (result?.children ?? [])
    .filter((one) => textOf(childOf(one, 'clusterId'), 'id') === cluster)
    .flatMap((one) => childrenOf(one, 'servers'))
    .find((one) => textOf(one, 'name') === server.name);
  return found ? statusOf(session, found) : null;
}

function statusOf(session: VsphereSession, element: XmlElement): KmipServerStatus {
  return {
    status: (textOf(element, 'status') ?? '').trim().toLowerCase(),
    said: session.clean(textOf(element, 'connectionStatus') ?? ''),
    trusts_server: booleanOf(textOf(element, 'clientTrustServer')),
    trusted_by_server: booleanOf(textOf(element, 'serverTrustClient')),
  };
}

async function resultOf(
  session: VsphereSession,
  task: ObjectRef,
  what: string,
  signal: AbortSignal,
): Promise<XmlElement | null> {
  const until = performance.now() + TASK.most;
  for (;;) {
    const info = (await retrieveOne(session, task, ['info'], { what, signal })).get('info');
    const state = textOf(info, 'state')?.trim();
    if (state === 'success') return childOf(info, 'result');
    if (state === 'error') {
      const error = childOf(info, 'error');
      throw session.faultOf(error ? localizedFault(error) : { type: null, message: null, privilege: null }, what);
    }
    if (performance.now() > until) throw new VsphereFault('not_ready', `It did not ${what} in time.`);
    await pause(TASK.every, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
