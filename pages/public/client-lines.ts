// What a guest types to use a service: whole lines to copy, for the address that was called.

import { type PublicRoot, publicFile } from '../../shared/appliance/overview/public-root.ts';
import type { Offered } from '../../shared/appliance/overview/public-services.ts';

export interface ClientLines {
  /** Where the lines go. */
  on: string;
  lines: readonly string[];
}

export const dnsLines = ({ at, domain }: Offered): ClientLines[] => [
  {
    on: '/etc/resolv.conf',
    lines: [...at.map((address) => `nameserver ${address}`), ...(domain === '' ? [] : [`search ${domain}`])],
  },
  { on: 'ESX', lines: at.map((address) => `esxcli network ip dns server add --server=${address}`) },
];

/** By its name where it has one: NTS needs it, and a certificate that the client trusts. */
export function ntpLines({ at, hostname, nts }: Offered): ClientLines[] {
  const servers = hostname === '' ? at : [hostname];
  return [
    { on: 'chrony', lines: servers.map((server) => `server ${server} iburst${nts ? ' nts' : ''}`) },
    {
      on: 'Windows',
      lines: [`w32tm /config /manualpeerlist:"${servers.join(' ')}" /syncfromflags:manual /update`],
    },
    {
      on: 'ESX',
      lines: [`esxcli system ntp set ${servers.map((server) => `--server=${server}`).join(' ')} --enabled=true`],
    },
  ];
}

/** `https://depot.lab.example/`: the port where it is not that of https. */
export function depotUrls({ at, hostname }: Offered): string[] {
  const bare = at.map((place) => place.replace(/:443$/, ''));
  if (hostname === '') return bare.map((place) => `https://${place}/`);
  return [...new Set(at.map((place) => `https://${hostname}${/:443$/.test(place) ? '' : /:\d+$/.exec(place)![0]}/`))];
}

export const depotLines = (offered: Offered): ClientLines[] => [
  {
    on: 'curl',
    lines: depotUrls(offered).map(
      (url) =>
        `curl -fsSI --cacert ${ROOT_FILE}${offered.login ? ' --user USER' : ''} ${url}PROD/metadata/productVersionCatalog/v1/productVersionCatalog.json`,
    ),
  },
];

export const ROOT_FILE = 'groundcrew-root-ca.pem';

export const rootLines = (of: PublicRoot): ClientLines[] => [
  {
    on: 'curl and openssl',
    lines: [
      `curl -fsS -o ${ROOT_FILE} ${publicFile(of, 'pem')}`,
      `openssl x509 -in ${ROOT_FILE} -noout -fingerprint -sha256`,
    ],
  },
];
