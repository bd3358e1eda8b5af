// What a host makes of an OVF, and the import of it, beyond what the simulator does: properties, complaints, sizes, a lease.
import { createHash } from 'node:crypto';
import type { Behind } from './behind.ts';
import type { LeaseFile, Leases } from './leases.ts';
import { type Descriptor, descriptorOf } from './ovf.ts';
import {
  type Asked,
  answered,
  decoded,
  escaped,
  type FrontAnswer,
  listOf,
  localizedXml,
  member,
  ok,
  parse,
  type Ref,
  refOf,
  type SaidFault,
  said,
  text,
} from './wire.ts';

/** A login: the simulator's key of it. */
export interface Session {
  key: string;
}

export interface SeenImport {
  name: string;
  datastore: string;
  pool: string;
  folder: string | null;
  host: string | null;
  option: string;
  provisioning: string;
  policy: string;
  protocol: string;
  networks: Record<string, string>;
  /** As they arrived with the specification. */
  properties: Record<string, string>;
  /** Id of the machine, once it was imported. */
  machine: string | null;
}

interface Prepared {
  seen: SeenImport;
  descriptor: Descriptor;
  files: Map<string, { path: string; size: number | null }>;
}
export interface Importing {
  seen: SeenImport[];
  /** CreateImportSpec. */
  prepare(question: Asked, session: Session): Promise<FrontAnswer>;
  /** ImportVApp. */
  start(question: Asked, session: Session): Promise<FrontAnswer>;
}

export interface ImportShell {
  esx: boolean;
  behind: Behind;
  leases: Leases;
  /** Where the disks of a machine on this host go. */
  place(host_name: string): { authority: string; thumbprint: string; certificate: string | null };
  through(question: Asked, session: Session, body?: string): Promise<FrontAnswer>;
}

export function importing({ esx, behind, leases, place, through }: ImportShell): Importing {
  const imports: SeenImport[] = [];
  /** By the digest of the specification that was given out. */
  const prepared = new Map<string, Prepared>();

  async function prepare(question: Asked, session: Session): Promise<FrontAnswer> {
    const { call } = question;
    const cisp = member(call, 'cisp');
    const descriptor = descriptorOf(text(call.ovfDescriptor));
    if (!descriptor)
      return said({ type: 'InvalidArgument', inside: '<invalidProperty>ovfDescriptor</invalidProperty>' });
    const pairs = (name: string, key: string, value: string): Record<string, string> =>
      Object.fromEntries(
        listOf(member(cisp) && (cisp as never)[name]).map((each) => [text(each, key), text(each, value)]),
      );
    const properties = pairs('propertyMapping', 'key', 'value');
    const seen: SeenImport = {
      ...{ name: text(cisp, 'entityName'), datastore: text(call.datastore), pool: text(call.resourcePool) },
      ...{ folder: null, host: text(cisp, 'hostSystem') || null, option: text(cisp, 'deploymentOption') },
      ...{ provisioning: text(cisp, 'diskProvisioning'), policy: text(cisp, 'ipAllocationPolicy') },
      ...{ protocol: text(cisp, 'ipProtocol'), networks: pairs('networkMapping', 'name', 'network') },
      ...{ properties: {}, machine: null },
    };
    const error = complaint(seen, descriptor);
    if (error) return ok(answered('CreateImportSpec', `<returnval>${localizedXml('error', error)}</returnval>`));
    // The simulator would make settings of the machine out of them.
    const body = question.body.replace(/<propertyMapping>.*?<\/propertyMapping>/gs, '');
    const answer = await through(question, session, body);
    if (answer.status !== 200) return answer;
    answer.body = answer.body.replace('</configSpec>', () => `${vAppXml(properties)}</configSpec>`);
    const spec = /<importSpec[^>]*>(.*)<\/importSpec>/s.exec(answer.body)?.[1] ?? '';
    const files = new Map(
      [...answer.body.matchAll(/<fileItem>.*?<deviceId>(.*?)<\/deviceId>.*?<path>(.*?)<\/path>/gs)].map(
        ([, device, path]) =>
          [decoded(device!), { path: decoded(path!), size: descriptor.sizes.get(decoded(path!)) ?? null }] as const,
      ),
    );
    prepared.set(digest(spec), { seen, descriptor, files });
    return answer;
  }

  async function importApp(question: Asked, session: Session): Promise<FrontAnswer> {
    const spec = /<spec\b[^>]*>(.*)<\/spec>/s.exec(question.body)?.[1] ?? '';
    const known = prepared.get(digest(spec));
    // It is to be given back as it was given out.
    if (!known) return said({ type: 'InvalidRequest', message: 'Unknown specification.' });
    const folder = text(question.call.folder) || null;
    if (!esx && folder === null)
      return said({ type: 'InvalidArgument', inside: '<invalidProperty>folder</invalidProperty>' });
    if (await taken(known.seen.name, folder)) {
      return said({
        type: 'DuplicateName',
        message: 'The name already exists.',
        inside: `<name>${escaped(known.seen.name)}</name>`,
      });
    }
    const answer = await through(question, session);
    const lease = refOf(member(parse(answer.body) ?? undefined, 'Envelope', 'Body', 'ImportVAppResponse', 'returnval'));
    if (answer.status !== 200) return answer;
    const info = member((await behind.properties(lease, ['info'], session.key)).get('info'));
    const machine = refOf(member(info, 'entity'));
    const seen = { ...known.seen, folder, properties: vAppOf(spec), machine: machine.id };
    if (text(question.call.host)) seen.host = text(question.call.host);
    imports.push(seen);
    const files = listOf((info as Record<string, never>).deviceUrl).map((url): LeaseFile => {
      const import_key = text(url, 'importKey');
      const { path, size } = known.files.get(import_key) ?? { path: '', size: null };
      return {
        key: text(url, 'key'),
        import_key,
        name: text(url, 'targetId'),
        disk: text(url, 'disk') === 'true',
        path,
        size,
      };
    });
    const wanted = new Set(known.files.keys());
    const fixed = Object.keys(seen.properties).find((key) => known.descriptor.properties.get(key) !== true);
    leases.open(
      {
        ...{
          id: lease.id,
          session: session.key,
          machine,
          machine_name: seen.name,
          files: files.filter((file) => wanted.has(file.import_key)),
        },
        ...place(await hostNameOf(machine)),
      },
      fixed === undefined
        ? null
        : {
            type: 'NotUserConfigurableProperty',
            message: `Property ${fixed} can not be set.`,
            inside: `<id>${escaped(fixed)}</id>`,
          },
    );
    return answer;
  }

  /** A folder has each name once, whatever its case; on a host there is one folder. */
  async function taken(name: string, folder: string | null): Promise<boolean> {
    const same = (await behind.all('VirtualMachine')).filter((each) => each.name.toLowerCase() === name.toLowerCase());
    for (const { ref } of same) {
      const parent = refOf((await behind.properties(ref, ['parent'])).get('parent'));
      if (esx || parent.id === folder) return true;
    }
    return false;
  }

  async function hostNameOf(machine: Ref): Promise<string> {
    const host = refOf((await behind.properties(machine, ['runtime.host'])).get('runtime.host'));
    return text((await behind.properties(host, ['name'])).get('name'));
  }

  return { seen: imports, prepare, start: importApp };
}

const digest = (source: string): string => createHash('sha256').update(source).digest('hex');
function complaint(seen: SeenImport, { options, networks }: Descriptor): SaidFault | null {
  if (seen.option !== '' && !options.includes(seen.option)) {
    return { type: 'OvfUnsupportedDeploymentOption', message: `The option ${seen.option} is not supported.` };
  }
  const unmapped = networks.find((name) => !(name in seen.networks));
  if (unmapped === undefined) return null;
  return { type: 'OvfNetworkMappingNotSupported', message: `The network ${unmapped} is not mapped.` };
}

/** As a vCenter keeps properties: in the specification, clear. */
const vAppXml = (properties: Record<string, string>): string =>
  `<vAppConfig xsi:type="VmConfigSpec">${Object.entries(properties)
    .map(
      ([id, value], at) =>
        `<property><operation>add</operation><info><key>${at}</key><id>${escaped(id)}</id><userConfigurable>true</userConfigurable><value>${escaped(value)}</value></info></property>`,
    )
    .join('')}</vAppConfig>`;

const vAppOf = (spec: string): Record<string, string> =>
  Object.fromEntries(
    [...spec.matchAll(/<info><key>\d+<\/key><id>(.*?)<\/id>.*?<value>(.*?)<\/value>/gs)].map(([, id, value]) => [
      decoded(id!),
      decoded(value!),
    ]),
  );
