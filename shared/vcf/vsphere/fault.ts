// What can go wrong between this service and a vCenter or an ESXi host, as one closed list: each with what an operator
// can do. vSphere names its faults by a type; its texts are localised, so that nothing is decided by them.
import { type ErrorCode, Problem } from '../../ground/problems.ts';

/** Reason → its code, whether the same may succeed a little later, and what to do about it. */
export const VSPHERE_FAULTS = {
  login_refused: {
    code: 'remote_login_refused',
    retry: false,
    way_out: 'Check the user name and the password, and that the account is not locked.',
  },
  session_lost: { code: 'remote_login_refused', retry: false, way_out: 'Log in again.' },
  not_permitted: {
    code: 'remote_refused',
    retry: false,
    way_out: 'Give the account that privilege there, or use another account.',
  },
  licence: {
    code: 'remote_unsupported',
    retry: false,
    way_out: 'The licence of the host forbids changes over its API; use a licensed host, or a vCenter that manages it.',
  },
  not_vsphere: {
    code: 'remote_unsupported',
    retry: false,
    way_out: 'Check the server: it has to be a vCenter or an ESXi host.',
  },
  unsupported: { code: 'remote_unsupported', retry: false, way_out: 'vSphere 6.7 and newer are supported.' },
  name_taken: { code: 'vm_name_taken', retry: false, way_out: 'Choose another name for the virtual machine.' },
  datastore_name_taken: { code: 'remote_refused', retry: false, way_out: 'Rename one of the two, here or there.' },
  no_space: { code: 'remote_refused', retry: false, way_out: 'Free space on the datastore, or choose another one.' },
  no_resources: {
    code: 'remote_refused',
    retry: false,
    way_out: 'Free processors or memory there, or choose another host, cluster or resource pool.',
  },
  property_refused: { code: 'remote_refused', retry: false, way_out: 'Correct the value of that OVF property.' },
  ova_refused: {
    code: 'remote_refused',
    retry: false,
    way_out: 'Check that the destination is new enough for this OVA, and the networks and the datastore chosen for it.',
  },
  placement: { code: 'remote_refused', retry: false, way_out: 'Choose the destination again.' },
  gone: { code: 'remote_refused', retry: false, way_out: 'Read the inventory again: somebody removed it meanwhile.' },
  lease_over: {
    code: 'remote_refused',
    retry: false,
    way_out: 'It has ended there, or is in another state; look at the machine, then start the deployment again.',
  },
  upload_refused: {
    code: 'remote_refused',
    retry: false,
    way_out: 'Look at the host and its datastore, then start the deployment again.',
  },
  untrusted_host: {
    code: 'remote_refused',
    retry: false,
    way_out: 'Find out which certificate the host has, and why its management server knows another one or none.',
  },
  not_ready: {
    code: 'remote_not_ready',
    retry: true,
    way_out: 'Its services may be starting or busy; try again in some minutes.',
  },
  refused: { code: 'remote_refused', retry: false, way_out: 'Correct what it names and try again.' },
  unreadable: {
    code: 'remote_answer_unusable',
    retry: false,
    way_out: 'Check the server, and whether something between here and there changes answers.',
  },
} as const satisfies Record<string, { code: ErrorCode; retry: boolean; way_out: string }>;
export type VsphereReason = keyof typeof VSPHERE_FAULTS;

/** A refusal whose detail has the request, vSphere's message and what to do, without secrets. */
export class VsphereFault extends Problem {
  readonly reason: VsphereReason;
  /** Name of vSphere's type: `InvalidLogin`; null when the fault is none of vSphere's. */
  readonly fault_type: string | null;

  constructor(reason: VsphereReason, sentence: string, fault_type: string | null = null, said: string | null = null) {
    const words = said === null || said === '' ? [] : [`vSphere says: ${/[.!?]$/.test(said) ? said : `${said}.`}`];
    super(VSPHERE_FAULTS[reason].code, [sentence, ...words, VSPHERE_FAULTS[reason].way_out].join(' '));
    this.name = 'VsphereFault';
    this.reason = reason;
    this.fault_type = fault_type;
  }

  /** True when the same question may succeed a little later. */
  get retry(): boolean {
    return VSPHERE_FAULTS[this.reason].retry;
  }
}

/** Reason → types of faults; other types are matched by their beginning, else count as refused. */
const TYPES: readonly (readonly [VsphereReason, readonly string[]])[] = [
  ['login_refused', ['InvalidLogin', 'PasswordExpired', 'InvalidLocale']],
  ['session_lost', ['NotAuthenticated']],
  ['not_permitted', ['NoPermission', 'NoPermissionOnAD', 'NoPermissionOnHost', 'SecurityError']],
  [
    'licence',
    ['RestrictedVersion', 'RestrictedByAdministrator', 'NotEnoughLicenses', 'LicenseExpired', 'InvalidLicense'],
  ],
  ['name_taken', ['DuplicateName', 'FileAlreadyExists', 'AlreadyExists']],
  ['no_space', ['NoDiskSpace', 'InsufficientStorageSpace', 'InsufficientDisks', 'FileTooLarge', 'OutOfBounds']],
  [
    'no_resources',
    ['NumVirtualCpusNotSupported', 'MemorySizeNotSupported', 'NoCompatibleHost', 'PowerOnFtSecondaryFailed'],
  ],
  [
    'property_refused',
    [
      ...['NotUserConfigurableProperty', 'InvalidPropertyValue', 'InvalidPropertyType', 'MissingPropertyValue'],
      ...['UnconfiguredPropertyValue', 'OvfProperty', 'OvfPropertyValue', 'OvfPropertyQualifier'],
    ],
  ],
  ['gone', ['ManagedObjectNotFound', 'NotFound', 'VmConfigFileNotFound']],
  ['lease_over', ['Timedout', 'InvalidState', 'ConcurrentAccess', 'RequestCanceled']],
  [
    'placement',
    [
      ...['InvalidDatastore', 'InaccessibleDatastore', 'InvalidDatastorePath', 'DatacenterMismatch', 'InvalidFolder'],
      ...['NetworkInaccessible', 'CannotAccessNetwork', 'CannotAccessVmComponent', 'InvalidHostState', 'VmConfigFault'],
    ],
  ],
  [
    'not_ready',
    ['TaskInProgress', 'ResourceInUse', 'SystemBusy', 'HostNotConnected', 'HostNotReachable', 'HostCommunication'],
  ],
  ['unsupported', ['MethodNotFound', 'NotImplemented']],
];
const BY_TYPE = new Map(TYPES.flatMap(([reason, names]) => names.map((name) => [name, reason] as const)));

/** One of vSphere's own names, not one that a server made up. */
export const isKnownType = (fault_type: string): boolean => BY_TYPE.has(fault_type);

const BY_BEGINNING: readonly (readonly [RegExp, VsphereReason])[] = [
  [/^Ovf/, 'ova_refused'],
  [/^Insufficient/, 'no_resources'],
  [/Property/, 'property_refused'],
  [/^(?:CannotAccess|Invalid(?:Datastore|Host|Folder))/, 'placement'],
  [/License/, 'licence'],
];

export function reasonOf(fault_type: string | null): VsphereReason {
  if (fault_type === null) return 'refused';
  return BY_TYPE.get(fault_type) ?? BY_BEGINNING.find(([pattern]) => pattern.test(fault_type))?.[1] ?? 'refused';
}

const SENTENCES: Partial<Record<VsphereReason, (what: string) => string>> = {
  login_refused: () => 'The login was refused.',
  session_lost: (what) => `The login has ended, so that it did not ${what}.`,
  not_permitted: (what) => `The account may not ${what}.`,
  name_taken: () => 'There is a virtual machine or a folder on the datastore of this name already.',
  no_space: () => 'The datastore has too little space.',
  no_resources: () => 'The destination has too few resources, or none that fit.',
  gone: (what) => `It can't ${what}: something that was chosen no longer exists.`,
  not_ready: (what) => `It can't ${what} at the moment.`,
};

/**
 * The fault of one of vSphere's types. `what` completes "It can't …": `import the machine`. `said` is its own text,
 * clean of secrets.
 */
export function vsphereFault(fault_type: string | null, what: string, said: string | null): VsphereFault {
  const reason = reasonOf(fault_type);
  const sentence =
    SENTENCES[reason]?.(what) ?? `It refused to ${what}${fault_type === null ? '' : ` (${fault_type})`}.`;
  return new VsphereFault(reason, sentence, fault_type, said);
}
