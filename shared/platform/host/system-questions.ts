// What root reads from the machine for the service: a fixed list of commands, which both sides know by name.

export interface Question {
  program: string;
  args: readonly string[];
  /** Bytes of the answer. */
  output?: number;
}

const chronyc = (...words: string[]): Question => ({
  program: 'chronyc',
  args: ['-c', '-N', '-h', '/run/groundcrew/chrony/chronyd.sock', ...words],
});

/** Files of the kernel’s NFS server that root alone reads: of each client of NFS 4 one of this name. The root step has a
 * /proc of its own, without what is mounted below: its unit shows it nfsd(7) there. */
const nfsClients = (name: string, output: number): Question => ({
  program: 'grep',
  args: ['-r', '-H', `--include=${name}`, '', '/run/groundcrew/nfsd/clients'],
  output,
});

export const QUESTIONS: Readonly<Record<string, Question>> = {
  'packet-filter': { program: 'nft', args: ['-j', 'list', 'table', 'inet', 'groundcrew'], output: 8 << 20 },
  'clock-tracking': chronyc('tracking'),
  'clock-sources': chronyc('sources', '-a'),
  'clock-served': chronyc('serverstats'),
  'nfs-clients': nfsClients('info', 1 << 20),
  'nfs-states': nfsClients('states', 2 << 20),
  'vlan-module': { program: 'modprobe', args: ['-n', '-q', '8021q'] },
};

/** The name of the question for a program with these arguments; null: the program needs no root. */
export function questionFor(program: string, args: readonly string[]): string | null {
  const text = args.join('\0');
  const found = Object.entries(QUESTIONS).find(([, one]) => one.program === program && one.args.join('\0') === text);
  return found?.[0] ?? null;
}
