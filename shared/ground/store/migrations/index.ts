// The migrations in order. A released one is never edited: a later one corrects it.
import type { Knex } from 'knex';
import * as first from './0001-first-flight.ts';
import * as second from './0002-dependents.ts';
import * as third from './0003-enforced.ts';
import * as fourth from './0004-applied-rows.ts';
import * as fifth from './0005-confirm-window.ts';
import * as sixth from './0006-address-blocks.ts';
import * as seventh from './0007-network-boot.ts';
import * as eighth from './0008-vaults.ts';
import * as ninth from './0009-vcf-deployment.ts';
import * as tenth from './0010-known-networks.ts';
import * as eleventh from './0011-token-makers.ts';
import * as twelfth from './0012-own-networks.ts';
import * as thirteenth from './0013-boot-listener.ts';
import * as fourteenth from './0014-service-probes.ts';
import * as fifteenth from './0015-following-servers.ts';
import * as sixteenth from './0016-certificates.ts';
import * as seventeenth from './0017-archives.ts';
import * as eighteenth from './0018-certificate-portal.ts';
import * as nineteenth from './0019-archive-schedule.ts';
import * as twentieth from './0020-public-sessions.ts';
import * as twentyFirst from './0021-directory.ts';
import * as twentySecond from './0022-kms.ts';
import * as twentyThird from './0023-kms-tombstones.ts';
import * as twentyFourth from './0024-management-tls.ts';
import * as twentyFifth from './0025-kms-holds.ts';
import * as twentySixth from './0026-oidc.ts';
import * as twentySeventh from './0027-second-factors.ts';
import * as twentyEighth from './0028-scim.ts';
import * as twentyNinth from './0029-oidc-sessions.ts';
import * as thirtieth from './0030-own-directory-passwords.ts';
import * as thirtyFirst from './0031-health.ts';
import * as thirtySecond from './0032-web-terminal.ts';
import * as thirtyThird from './0033-external-sign-in.ts';
import * as thirtyFourth from './0034-storage.ts';
import * as thirtyFifth from './0035-terminal-host-keys.ts';
import * as thirtySixth from './0036-alerts.ts';
import * as thirtySeventh from './0037-datastore-limits.ts';
import * as thirtyEighth from './0038-disks.ts';
import * as thirtyNinth from './0039-list-orders.ts';
import * as fortieth from './0040-vault-lists.ts';

export interface Migration {
  name: string;
  up(knex: Knex): Promise<void>;
}

export const MIGRATIONS: readonly Migration[] = [
  first,
  second,
  third,
  fourth,
  fifth,
  sixth,
  seventh,
  eighth,
  ninth,
  tenth,
  eleventh,
  twelfth,
  thirteenth,
  fourteenth,
  fifteenth,
  sixteenth,
  seventeenth,
  eighteenth,
  nineteenth,
  twentieth,
  twentyFirst,
  twentySecond,
  twentyThird,
  twentyFourth,
  twentyFifth,
  twentySixth,
  twentySeventh,
  twentyEighth,
  twentyNinth,
  thirtieth,
  thirtyFirst,
  thirtySecond,
  thirtyThird,
  thirtyFourth,
  thirtyFifth,
  thirtySixth,
  thirtySeventh,
  thirtyEighth,
  thirtyNinth,
  fortieth,
];
