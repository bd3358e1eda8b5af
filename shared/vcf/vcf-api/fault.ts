// What can go wrong between this service and an appliance, as one closed list: each with what an operator can do.
import { type ErrorCode, Problem } from '../../ground/problems.ts';

/** Reason → its code, what to do about it, and whether the same question may succeed a little later. */
export const APPLIANCE_FAULTS = {
  login_refused: {
    code: 'remote_login_refused',
    retry: false,
    way_out: 'Check the user name and the password, and that the account is not locked.',
  },
  session_lost: { code: 'remote_login_refused', retry: false, way_out: 'Log in to the appliance again.' },
  not_permitted: {
    code: 'remote_refused',
    retry: false,
    way_out: 'Use an account with the ADMIN role on the appliance.',
  },
  not_ready: {
    code: 'remote_not_ready',
    retry: true,
    way_out: 'Its services may still be starting; try again in some minutes.',
  },
  not_an_appliance: {
    code: 'remote_unsupported',
    retry: false,
    way_out: 'Check the server: it has to be a VCF Installer or an SDDC Manager.',
  },
  unsupported_version: {
    code: 'remote_unsupported',
    retry: false,
    way_out: 'VCF Installer and SDDC Manager of the releases 9.x are supported.',
  },
  not_found: { code: 'remote_refused', retry: false, way_out: 'Look at the appliance whether it is still there.' },
  refused: { code: 'remote_refused', retry: false, way_out: 'Correct what the appliance names and try again.' },
  failed: { code: 'remote_not_ready', retry: true, way_out: 'Look at the services of the appliance, then try again.' },
  unreadable: {
    code: 'remote_answer_unusable',
    retry: false,
    way_out: 'Check the server, and whether something between here and there changes answers.',
  },
} as const satisfies Record<string, { code: ErrorCode; retry: boolean; way_out: string }>;
export type ApplianceReason = keyof typeof APPLIANCE_FAULTS;

/** The appliance's own message, without secrets. */
export interface VendorWords {
  status: number | null;
  /** As the appliance codes it: `IDENTITY_UNAUTHORIZED_ENTITY`. */
  error_code: string | null;
  message: string | null;
  remediation: string | null;
  /** By which its logs can be searched. */
  reference_token: string | null;
}

export const NO_WORDS: VendorWords = {
  status: null,
  error_code: null,
  message: null,
  remediation: null,
  reference_token: null,
};

/** A refusal whose detail has the request, the appliance's message and what to do, without secrets. */
export class ApplianceFault extends Problem {
  readonly reason: ApplianceReason;
  readonly words: VendorWords;

  constructor(reason: ApplianceReason, sentence: string, words: VendorWords = NO_WORDS) {
    super(APPLIANCE_FAULTS[reason].code, [sentence, ...said(words), APPLIANCE_FAULTS[reason].way_out].join(' '));
    this.name = 'ApplianceFault';
    this.reason = reason;
    this.words = words;
  }

  /** True when the same question may succeed a little later. */
  get retry(): boolean {
    return APPLIANCE_FAULTS[this.reason].retry;
  }
}

function said({ message, remediation, reference_token }: VendorWords): string[] {
  const text = [message, remediation]
    .filter((part) => part !== null)
    .map(sentence)
    .join(' ');
  if (text === '') return reference_token === null ? [] : [`Reference token: ${reference_token}.`];
  return [`The appliance says: ${text}`, ...(reference_token === null ? [] : [`Reference token: ${reference_token}.`])];
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
