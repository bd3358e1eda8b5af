// What an SDDC Manager asks for in its descriptor: the form with class and instance, and the later plain one.
import type { MadeProduct, MadeProperty } from './descriptor.ts';

const ABOUT = {
  product: 'SDDC Manager Appliance',
  vendor: 'Example Cloud Works',
  version: '9.1.0.0',
  full_version: '9.1.0.0.24962180',
};

const secret = (key: string, label: string, description: string): MadeProperty => ({
  key,
  type: 'string',
  password: true,
  label,
  description,
  qualifiers: 'MinLen(15) MaxLen(127)',
});
const address = (key: string, label: string, description: string): MadeProperty => ({
  key,
  type: 'string',
  vmw_qualifiers: 'Ip',
  label,
  description,
});
const text = (key: string, label: string, description: string, value?: string): MadeProperty => ({
  key,
  type: 'string',
  label,
  description,
  ...(value === undefined ? {} : { value }),
});

const PASSWORDS: MadeProperty[] = [
  secret('ROOT_PASSWORD', 'Root user password', 'At least 15 characters with upper, lower, digit and special.'),
  secret('LOCAL_USER_PASSWORD', 'Local user password', 'Password of admin@local for the API.'),
];
const NTP = text('guestinfo.ntp', 'NTP servers', 'Comma-separated host names or addresses of time servers.');
const FIPS: MadeProperty = {
  key: 'FIPS_ENABLE',
  type: 'boolean',
  value: 'False',
  label: 'FIPS mode',
  description: 'Can’t be changed after the deployment.',
};
const NETWORK = [
  address('ip0', 'Network 1 IP address', 'The address of this interface. Leave blank for DHCP.'),
  text('netmask0', 'Network 1 netmask', 'The netmask or prefix of this interface.'),
  address('gateway', 'Default gateway', 'The default gateway of this machine.'),
  text('domain', 'Domain name', 'The domain of this machine.'),
  text('searchpath', 'Domain search path', 'Comma- or space-separated domains.'),
  text('DNS', 'Domain name servers', 'Comma-separated addresses of name servers.'),
];
const VERSION: MadeProperty = {
  key: 'ip_address_version',
  type: 'string',
  value: 'IPv4',
  qualifiers: 'ValueMap{"IPv4","IPv6"}',
  label: 'IP address version',
  description: 'Which protocol the management interface uses.',
};

/** `vami`: keys like vami.ip0.SDDC-Manager, over three sections. `plain`: ip0 and the rest without class and instance. */
export function sddcManagerProducts(form: 'vami' | 'plain' = 'vami'): MadeProduct[] {
  const application = [...PASSWORDS, text('VCF_PASSWORD', 'Unused', 'Set by the builder.', 'x'), NTP, FIPS];
  const shown = application.map((property) =>
    property.key === 'VCF_PASSWORD' ? { ...property, configurable: false, password: true } : property,
  );
  if (form === 'plain') {
    return [
      {
        about: ABOUT,
        categories: {
          Application: shown,
          'Networking properties': [text('hostname', 'Host name', 'The FQDN.'), VERSION, ...NETWORK],
        },
      },
    ];
  }
  return [
    { about: ABOUT, categories: { Application: shown, 'Networking properties': [VERSION] } },
    {
      class: 'vami',
      categories: { 'Networking properties': [text('hostname', 'Host name', 'The FQDN of the appliance.')] },
    },
    { class: 'vami', instance: 'SDDC-Manager', categories: { 'Networking properties': NETWORK } },
  ];
}

/** Typed values that satisfy either form, by full key. */
export function sddcManagerAnswers(form: 'vami' | 'plain' = 'vami'): Record<string, string> {
  const vami = (key: string): string => (form === 'plain' ? key : `vami.${key}.SDDC-Manager`);
  return {
    ROOT_PASSWORD: 'Root-Of-All-Things-1!',
    LOCAL_USER_PASSWORD: 'Local-User-<&">-2!',
    'guestinfo.ntp': 'ntp1.lab.test,ntp2.lab.test',
    FIPS_ENABLE: 'False',
    ip_address_version: 'IPv4',
    [form === 'plain' ? 'hostname' : 'vami.hostname']: 'sddc01.lab.test',
    [vami('ip0')]: '10.20.0.15',
    [vami('netmask0')]: '255.255.255.0',
    [vami('gateway')]: '10.20.0.1',
    [vami('domain')]: 'lab.test',
    [vami('searchpath')]: 'lab.test',
    [vami('DNS')]: '10.20.0.2',
  };
}

export const EULA = [
  'END USER LICENSE AGREEMENT',
  '',
  '1. This text stands in for an agreement. Whoever deploys the appliance accepts it.',
  '2. It has “quotes”, <angles> & several paragraphs, so that a page has to escape and fold it.',
].join('\n');
