// A client that gives answers from a list, for tests of what is sent and how answers are read.
import type { PinnedRequest } from '../../../../shared/vcf/connection/exchange.ts';
import { openVsphere, type PinnedClient, type VsphereSession } from '../../../../shared/vcf/vsphere/session.ts';

export const CREDENTIAL = { username: 'administrator@vsphere.local', password: 'Canary-pw-7f3a & <more>' };
/** With quotes, as a vCenter writes it: they belong to the value. */
export const COOKIE = '"52f1a0b2-canary-cookie"';

export const envelope = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`;

export const returned = (method: string, value: string): string =>
  envelope(`<${method}Response xmlns="urn:vim25">${value}</${method}Response>`);

export const fault = (type: string, { message = '', inside = '' } = {}): Canned => ({
  status: 500,
  body: envelope(
    `<soapenv:Fault><faultcode>ServerFaultCode</faultcode><faultstring>${message}</faultstring><detail><${type}Fault xmlns="urn:vim25" xsi:type="${type}">${inside}</${type}Fault></detail></soapenv:Fault>`,
  ),
});

export interface Canned {
  status: number;
  body: string;
  cookie?: string;
}

export interface Recorded {
  method: string;
  /** As text, before its bytes were overwritten. */
  body: string;
  headers: Readonly<Record<string, string>>;
  /** The very bytes, to see whether they were overwritten. */
  bytes: Buffer;
  limit: number | undefined;
}

const ABOUT = (kind: string, version: string): string =>
  `<about><name>VMware vCenter Server</name><vendor>VMware, Inc.</vendor><version>${version}</version><build>24022510</build><apiType>${kind}</apiType><instanceUuid>8f0c</instanceUuid></about>`;
const SERVICES = ['propertyCollector', 'viewManager', 'sessionManager', 'ovfManager', 'searchIndex'];

export const content = (kind = 'VirtualCenter', version = '8.0.3'): string =>
  returned(
    'RetrieveServiceContent',
    `<returnval><rootFolder type="Folder">group-d1</rootFolder>${ABOUT(kind, version)}${SERVICES.map((name) => `<${name} type="${name[0]!.toUpperCase()}${name.slice(1)}">${name}</${name}>`).join('')}</returnval>`,
  );

type Answers = Readonly<Record<string, string | Canned | ((call: Recorded, nth: number) => string | Canned)>>;

/** Answers by method; a text is status 200. Login gives a cookie. */
export function canned(answers: Answers = {}): { client: PinnedClient; sent: Recorded[] } {
  const sent: Recorded[] = [];
  const all: Answers = {
    RetrieveServiceContent: content(),
    Login: {
      status: 200,
      body: returned('Login', '<returnval/>'),
      cookie: `vmware_soap_session=${COOKIE}; Path=/; HttpOnly`,
    },
    Logout: returned('Logout', ''),
    DestroyView: returned('DestroyView', ''),
    CreateContainerView: returned('CreateContainerView', '<returnval type="ContainerView">view-1</returnval>'),
    ...answers,
  };
  const client: PinnedClient = {
    async request({ body, headers = {}, limit, signal }: PinnedRequest) {
      signal?.throwIfAborted();
      const text = String(body);
      const method = /Body><(\w+)/.exec(text)?.[1] ?? '';
      const call: Recorded = { method, body: text, headers, bytes: body as Buffer, limit };
      sent.push(call);
      const found = all[method];
      if (found === undefined) throw new Error(`no answer for ${method}`);
      const nth = sent.filter((each) => each.method === method).length - 1;
      const told = typeof found === 'function' ? found(call, nth) : found;
      const {
        status,
        body: said,
        cookie,
      } = typeof told === 'string' ? { status: 200, body: told, cookie: undefined } : told;
      return {
        status,
        headers: cookie === undefined ? {} : { 'set-cookie': [cookie] },
        body: Buffer.from(said, 'utf8'),
      };
    },
  };
  return { client, sent };
}

export async function session(answers: Answers = {}): Promise<{ session: VsphereSession; sent: Recorded[] }> {
  const { client, sent } = canned(answers);
  return { session: await openVsphere(client, CREDENTIAL), sent };
}

export const faultOf = (
  work: Promise<unknown>,
): Promise<{ code: string; reason: string; fault_type: string | null; message: string }> =>
  work.then(
    () => Promise.reject(new Error('it went well')),
    (error) => error,
  );
