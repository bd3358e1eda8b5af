// The fake's own way to the simulator: requests that are passed on, and a session of its own for what vSphere does by
// itself, such as removing the machine of an import that was given up.
import { escaped, listOf, member, type Node, parse, type Ref, refOf, refXml, text } from './wire.ts';

export interface Passed {
  status: number;
  body: string;
  /** Value of the session cookie that it set. */
  cookie: string | null;
}

/** To the simulator and back. Null: it panicked over the request, which ends the connection. */
export async function pass(origin: string, body: string, cookie: string | null): Promise<Passed | null> {
  const headers = {
    'content-type': 'text/xml',
    soapaction: 'urn:vim25/6.7',
    ...(cookie !== null && { cookie: `vmware_soap_session=${cookie}` }),
  };
  try {
    const answer = await fetch(`${origin}/sdk`, { method: 'POST', headers, body });
    const given = /vmware_soap_session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? null;
    return { status: answer.status, body: await answer.text(), cookie: given };
  } catch {
    return null;
  }
}

const request = (method: string, on: Ref, inside: string): string =>
  `<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><Body><${method} xmlns="urn:vim25">${refXml('_this', on)}${inside}</${method}></Body></Envelope>`;

export interface Behind {
  origin: string;
  /** Content of `returnval`, or what there is of it. */
  call(method: string, on: Ref, inside?: string): Promise<Node | undefined>;
  /** `cookie`: of the session that the object belongs to. */
  properties(ref: Ref, paths: readonly string[], cookie?: string): Promise<Map<string, Node>>;
  /** Every object of a type, with its name. */
  all(type: string): Promise<{ ref: Ref; name: string }[]>;
  destroy(machine: Ref): Promise<void>;
  /** `SET.guest.ipAddress` sets that property, in the simulator's own way. */
  extraConfig(machine: Ref, values: Readonly<Record<string, string>>): Promise<void>;
}

export async function behind(
  origin: string,
  esx: boolean,
  account: { username: string; password: string },
): Promise<Behind> {
  const collector: Ref = { type: 'PropertyCollector', id: esx ? 'ha-property-collector' : 'propertyCollector' };
  const sessions: Ref = { type: 'SessionManager', id: esx ? 'ha-sessionmgr' : 'SessionManager' };
  const root: Ref = { type: 'Folder', id: esx ? 'ha-folder-root' : 'group-d1' };
  const login = `<userName>${escaped(account.username)}</userName><password>${escaped(account.password)}</password>`;
  const own = (await pass(origin, request('Login', sessions, login), null))?.cookie ?? null;
  if (own === null) throw new Error('The simulator refused its own account.');

  async function ask(method: string, on: Ref, inside: string, cookie = own): Promise<Node | undefined> {
    const answer = await pass(origin, request(method, on, inside), cookie);
    if (answer?.status !== 200) throw new Error(`The simulator refused ${method}: ${answer?.body.slice(0, 500)}`);
    const said = member(parse(answer.body) ?? undefined, 'Envelope', 'Body', `${method}Response`);
    return typeof said === 'object' ? said.returnval : undefined;
  }
  const retrieve = async (specs: string, cookie?: string | null) =>
    listOf(await ask('RetrieveProperties', collector, `<specSet>${specs}</specSet>`, cookie ?? own)).map((object) => ({
      ref: refOf(member(object, 'obj')),
      properties: new Map(
        listOf(typeof object === 'object' ? object.propSet : undefined).map((each) => [
          text(each, 'name'),
          member(each, 'val')!,
        ]),
      ),
    }));
  const paths = (type: string, names: readonly string[]): string =>
    `<propSet><type>${type}</type>${names.map((name) => `<pathSet>${name}</pathSet>`).join('')}</propSet>`;

  return {
    origin,
    call: (method, on, inside = '') => ask(method, on, inside),
    async properties(ref, wanted, cookie) {
      const [found] = await retrieve(`${paths(ref.type, wanted)}<objectSet>${refXml('obj', ref)}</objectSet>`, cookie);
      return found?.properties ?? new Map();
    },
    async all(type) {
      const inside = `${refXml('container', root)}<type>${type}</type><recursive>true</recursive>`;
      const view = refOf(await ask('CreateContainerView', { type: 'ViewManager', id: 'ViewManager' }, inside));
      const traversal = '<selectSet xsi:type="TraversalSpec"><type>ContainerView</type><path>view</path></selectSet>';
      const objects = `<objectSet>${refXml('obj', view)}<skip>true</skip>${traversal}</objectSet>`;
      const found = await retrieve(`${paths(type, ['name'])}${objects}`);
      await ask('DestroyView', view, '');
      return found.map(({ ref, properties }) => ({ ref, name: text(properties.get('name')) }));
    },
    async destroy(machine) {
      await ask('Destroy_Task', machine, '');
    },
    async extraConfig(machine, values) {
      const options = Object.entries(values).map(
        ([key, value]) =>
          `<extraConfig><key>${escaped(key)}</key><value xsi:type="xsd:string">${escaped(value)}</value></extraConfig>`,
      );
      await ask('ReconfigVM_Task', machine, `<spec>${options.join('')}</spec>`);
    },
  };
}
