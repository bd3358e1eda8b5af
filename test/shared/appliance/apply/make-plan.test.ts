// What a plan may cost, in numbers that no machine changes: statements, programs that are run, files that are read twice.
import { afterEach, describe, expect, test } from '@jest/globals';
import { preparePlan, storePlan } from '../../../../shared/appliance/apply/make-plan.ts';
import { submitPlan } from '../../../../shared/appliance/apply/submit.ts';
import { UNITS } from '../../../../shared/appliance/units.ts';
import { type Estate, sowEstate } from '../../../bench/plan-estate.ts';
import { House } from '../../../setup/house.ts';

const SMALL: Estate = { records: 20, reservations: 10, vlans: 5 };
const LARGE: Estate = { records: 3000, reservations: 600, vlans: 60 };
/** One of them reads how far the units are; the others are the units', three or four each and three more for DHCP. */
const STATEMENTS_MOST = 34;

let house: House;
afterEach(() => house.close());

interface Cost {
  statements: number;
  programs: string[];
  twice: string[];
  units: string[];
}

/** Cost of a plan of everything, and of one after a record changed. */
async function costsOf(estate: Estate): Promise<{ whole: Cost; one: Cost }> {
  const statements: string[] = [];
  const programs: string[] = [];
  const reads: string[] = [];
  house = await House.open({
    observe: (sql) => void statements.push(sql),
    ticker: false,
    host: (rehearsal) => ({
      ...rehearsal,
      read: (path) => {
        reads.push(path);
        return rehearsal.read(path);
      },
      // Which programs there are, and what they say, is the machine's business.
      exec: async (program) => {
        programs.push(program);
        return { code: 0, stdout: '', stderr: '' };
      },
    }),
  });
  const { services, appliance } = house;
  await sowEstate(services, estate);
  const measured = async (): Promise<Cost & { prepared: Awaited<ReturnType<typeof preparePlan>> }> => {
    for (const list of [statements, programs, reads]) list.splice(0);
    const prepared = await preparePlan(services, UNITS, 'test');
    const twice = reads.filter((path, at) => reads.indexOf(path) !== at);
    const units = prepared.plan.units.map(({ id }) => id);
    return { prepared, statements: statements.length, programs: [...programs], twice, units };
  };
  const { prepared, ...whole } = await measured();
  await services.store.write(async (tx) => {
    await storePlan(tx, prepared);
    await submitPlan(tx, services, prepared.plan.id, { digest: prepared.plan.digest, note: '' }, 'test');
  });
  services.notify('queue');
  await appliance.runner.idle();
  await services.store.write((tx) => tx.run("UPDATE dns_record SET value = '10.254.0.1' WHERE id = 'rec_7'"));
  const { prepared: _later, ...one } = await measured();
  return { whole, one };
}

describe('a plan', () => {
  test('takes as many statements for thousands of rows as for a few, and runs as many programs', async () => {
    const small = await costsOf(SMALL);
    await house.close();
    const large = await costsOf(LARGE);
    expect(large).toEqual(small);
    expect(large.whole.statements).toBeLessThanOrEqual(STATEMENTS_MOST);
    expect(large.one.statements).toBeLessThanOrEqual(STATEMENTS_MOST);
    // The depot and network boot are off.
    expect(large.whole.units).toEqual(['network', 'firewall', 'dns-dhcp', 'ntp']);
    expect(large.one).toMatchObject({ units: ['dns-dhcp'], programs: ['dnsmasq', 'dnsmasq', 'dnsmasq'], twice: [] });
  }, 120_000);
});
