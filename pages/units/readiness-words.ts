// The words of readiness, and where each step is done: one table for the lists of the units and the first steps.
import type { Subject } from '../../shared/appliance/readiness/subjects.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { dialogHref } from '../../shared/vcf/names/dialog-address.ts';

export interface StepWords {
  label: string;
  /** What to do. */
  todo: string;
  href: string;
  /** Word of the button. */
  verb: string;
  /** The button does it right away. */
  posts?: true;
}

export interface SubjectWords {
  /** `DHCP` */
  name: string;
  /** For the notice while it is off: `these scopes are saved`. */
  keeps: string;
  /** Page of the switch. */
  settings: string;
  /** Resource of the scope that may do the steps. */
  resource: string;
  steps: Readonly<Record<string, StepWords>>;
}

/** A page of settings whose form is shown with the service on. */
export const switchPath = (settings: string): string => `${settings}?on=yes`;

const switchOn = (settings: string, todo: string): StepWords => ({
  label: 'Switched on',
  todo,
  href: switchPath(settings),
  verb: 'Switch it on',
});

const listens = (href: string): Readonly<Record<string, StepWords>> => ({
  listen: {
    label: 'Listen interfaces',
    todo: 'Choose the interfaces that it listens on.',
    href: switchPath(href),
    verb: 'Choose them',
  },
  enabled: switchOn(href, 'Switch the service on.'),
});

const applied: StepWords = {
  label: 'Applied',
  todo: 'Review what is saved, then apply it.',
  href: pagePath('apply'),
  verb: 'Review changes',
  posts: true,
};

const root: StepWords = {
  label: 'Root certificate',
  todo: 'Create the root certificate that signs the certificates of your services. This also switches custody on.',
  href: pagePath('certificate-authority'),
  verb: 'Make the root certificate',
  posts: true,
};

export const WORDS: Readonly<Record<Subject, SubjectWords>> = {
  network: {
    name: 'Network',
    keeps: 'these interfaces are saved',
    settings: pagePath('interfaces'),
    resource: 'interfaces',
    steps: {
      address: {
        label: 'Management address',
        todo: 'Give an interface an address and the role management.',
        href: pagePath('interfaces'),
        verb: 'Set it up',
      },
      applied,
    },
  },
  firewall: {
    name: 'The firewall',
    keeps: 'these rules are saved',
    settings: pagePath('firewall-settings'),
    resource: 'firewall',
    steps: {
      enabled: switchOn(
        pagePath('firewall-settings'),
        'Switch the packet filter on. Until then every packet reaches the appliance.',
      ),
      applied,
    },
  },
  dns: {
    name: 'DNS',
    keeps: 'these zones and records are saved',
    settings: pagePath('dns-settings'),
    resource: 'dns',
    steps: {
      enabled: switchOn(pagePath('dns-settings'), 'Choose the interfaces that DNS listens on, and switch it on.'),
      zone: {
        label: 'Zone',
        todo: 'Add the zone of your lab. Records belong to zones.',
        href: `${pagePath('dns-zones')}/new`,
        verb: 'Add zone',
      },
      record: {
        label: 'Record',
        todo: 'Add the first name of your zone.',
        href: `${pagePath('dns-records')}/new`,
        verb: 'Add record',
      },
      applied,
    },
  },
  dhcp: {
    name: 'DHCP',
    keeps: 'these scopes are saved',
    settings: pagePath('dhcp-settings'),
    resource: 'dhcp',
    steps: {
      scope: {
        label: 'Scope',
        todo: 'Add a scope: a subnet on one of the interfaces, with the ranges that clients get addresses from.',
        href: `${pagePath('dhcp-scopes')}/new`,
        verb: 'Add scope',
      },
      enabled: switchOn(pagePath('dhcp-settings'), 'Switch DHCP on.'),
      applied,
    },
  },
  ntp: {
    name: 'NTP',
    keeps: 'these sources are saved; they set the appliance’s own clock, and clients get no time',
    settings: pagePath('ntp-settings'),
    resource: 'ntp',
    steps: {
      source: {
        label: 'Time source',
        todo: 'Add a server that the appliance takes the time from.',
        href: `${pagePath('ntp-sources')}/new`,
        verb: 'Add source',
      },
      enabled: switchOn(
        pagePath('ntp-settings'),
        'Choose the interfaces that clients ask for the time on, and switch it on.',
      ),
      applied,
    },
  },
  'certificate-authority': {
    name: 'Custody',
    keeps: 'the certificates stay valid',
    settings: pagePath('certificate-authority-settings'),
    resource: 'ca',
    steps: {
      root,
      custody: {
        label: 'Custody',
        todo: 'Switch custody on. Without it no certificate is issued or renewed.',
        href: switchPath(pagePath('certificate-authority-settings')),
        verb: 'Switch it on',
      },
    },
  },
  kms: {
    name: 'Key management',
    keeps: 'its providers, clients and keys are kept',
    settings: pagePath('kms-settings'),
    resource: 'kms',
    steps: {
      root: {
        ...root,
        todo: 'Create the root certificate that signs the certificate of the KMIP server. This also switches custody on.',
      },
      provider: {
        label: 'Key provider',
        todo: 'Add the provider that owns the keys of one vCenter, or of several that share them.',
        href: `${pagePath('kms-providers')}/new`,
        verb: 'Add provider',
      },
      client: {
        label: 'Client certificate',
        todo: 'Trust the certificate that vCenter shows.',
        href: pagePath('kms'),
        verb: 'Choose a provider',
      },
      enabled: switchOn(
        pagePath('kms-settings'),
        'Choose the interfaces that the KMIP server listens on, and switch it on.',
      ),
      applied,
      certificate: {
        label: 'Certificate',
        todo: 'The KMIP server gets its certificate when its listener starts.',
        href: pagePath('certificate-authority'),
        verb: 'Certificate authority',
      },
    },
  },
  'management-tls': {
    name: 'Management TLS',
    keeps: 'the service shows the certificate that it was started with',
    settings: pagePath('management-tls-settings'),
    resource: 'management-tls',
    steps: {
      certificate: {
        label: 'Certificate',
        todo: 'Have the certificate authority issue one, or upload one. Until then browsers ask about the self-signed one.',
        href: pagePath('management-tls-settings'),
        verb: 'Choose a certificate',
      },
      applied,
    },
  },
  ldap: {
    name: 'LDAP',
    keeps: 'these organizations are saved',
    settings: pagePath('ldap-settings'),
    resource: 'ldap',
    steps: {
      root,
      organization: {
        label: 'Organization',
        todo: 'Add an organization, with the suffix that products are given as base DN.',
        href: `${pagePath('ldap-organizations')}/new`,
        verb: 'Add organization',
      },
      bind_account: {
        label: 'Bind account',
        todo: 'Add a bind account with a password, with which a product looks users up.',
        href: `${pagePath('ldap-bind-accounts')}/new`,
        verb: 'Add bind account',
      },
      enabled: switchOn(
        pagePath('ldap-settings'),
        'Choose the interfaces that products ask the directory on, and switch it on.',
      ),
      applied,
    },
  },
  oidc: {
    name: 'OpenID Connect',
    keeps: 'its settings are saved',
    settings: pagePath('oidc'),
    resource: 'oidc',
    steps: listens(pagePath('oidc')),
  },
  'private-cloud-services': {
    name: 'The offline depot',
    keeps: 'its users and files are kept',
    settings: pagePath('offline-depot-settings'),
    resource: 'depot',
    steps: {
      root: {
        ...root,
        todo: 'Create the root certificate that signs the certificate of the depot. This also switches custody on.',
      },
      software_depot_id: {
        label: 'Software depot ID',
        todo: 'Generate the ID that activation codes are issued for.',
        href: pagePath('software-depot-id'),
        verb: 'Generate it',
      },
      user: {
        label: 'Depot user',
        todo: 'Add the user that appliances log in with.',
        href: `${pagePath('offline-depot-users')}/new`,
        verb: 'Add depot user',
      },
      http_user: {
        label: 'Access',
        todo: 'Choose the depot user in the settings, or open access.',
        href: pagePath('offline-depot-settings'),
        verb: 'Choose it',
      },
      enabled: switchOn(
        pagePath('offline-depot-settings'),
        'Choose the interfaces that the depot listens on, and switch it on.',
      ),
      applied,
      certificate: {
        label: 'Certificate',
        todo: 'The depot gets its certificate when its listener starts.',
        href: pagePath('certificate-authority'),
        verb: 'Certificate authority',
      },
    },
  },
  storage: {
    name: 'Storage',
    keeps: 'these datastores are saved',
    settings: pagePath('storage-settings'),
    resource: 'storage',
    steps: {
      volume: {
        label: 'Volume',
        todo: 'Add a disk of the appliance as a volume.',
        href: `${pagePath('storage-volumes')}/new`,
        verb: 'Add volume',
      },
      datastore: {
        label: 'Datastore',
        todo: 'Add a datastore on a volume.',
        href: `${pagePath('datastores')}/new`,
        verb: 'Add datastore',
      },
      enabled: switchOn(pagePath('storage-settings'), 'Switch storage on.'),
      applied,
    },
  },
  'network-boot': {
    name: 'Network boot',
    keeps: 'these hosts are saved',
    settings: pagePath('network-boot-settings'),
    resource: 'pxe',
    steps: {
      addresses: {
        label: 'DHCP',
        todo: 'Switch DHCP on: hosts that boot get their address from it.',
        href: pagePath('dhcp'),
        verb: 'Open DHCP',
      },
      medium: {
        label: 'Installer medium',
        todo: 'Add an ESX installer.',
        href: `${pagePath('boot-media')}/new`,
        verb: 'Add medium',
      },
      kickstart: {
        label: 'Kickstart',
        todo: 'Add the Kickstart that the installer follows.',
        href: `${pagePath('kickstarts')}/new`,
        verb: 'Add Kickstart',
      },
      host: {
        label: 'Host',
        todo: 'Add a host, and choose its medium and its Kickstart.',
        href: `${pagePath('boot-hosts')}/new`,
        verb: 'Add host',
      },
      enabled: switchOn(
        pagePath('network-boot-settings'),
        'Choose the interfaces that hosts boot from, and switch it on.',
      ),
      applied,
    },
  },
  'web-terminal': {
    name: 'The web terminal',
    keeps: 'its settings are saved',
    settings: pagePath('web-terminal'),
    resource: 'terminal',
    steps: listens(pagePath('web-terminal')),
  },
  'vcf-helper': {
    name: 'The deployment helper',
    keeps: 'these names are saved',
    settings: pagePath('dns-settings'),
    resource: 'dns',
    steps: {
      names: {
        label: 'VCF names',
        todo: 'Generate the DNS names of your cloud.',
        href: dialogHref({}),
        verb: 'Generate names',
      },
    },
  },
};

/** `applied` of the first steps, where no subject is meant. */
export const APPLIED = applied;
