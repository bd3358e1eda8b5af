// The pure cores that are held to more than coverage: which files they are, which tests belong to them, and how many of
// their mutants those tests have to notice.

export interface Core {
  name: string;
  files: readonly string[];
  tests: readonly string[];
  /** Names of tests among them that take seconds, and are not run for each mutant. */
  without?: readonly string[];
  /** Least percentage of its mutants that the tests notice. Some change nothing that anybody could see. */
  least: number;
}

const below = (folder: string, ...names: string[]): string[] => names.map((name) => `${folder}/${name}.ts`);

export const CORES: readonly Core[] = [
  {
    name: 'refresh',
    files: below(
      'shared/platform/interfaces/refresh',
      ...[
        'appliance',
        'change',
        'datastores',
        'handed-out',
        'host-records',
        'listeners',
        'observed',
        'options',
        'rebase',
      ],
      ...['refresh', 'reservations', 'scopes', 'standing'],
    ),
    tests: below('test/shared/platform/interfaces/refresh', 'told.test', 'refresh.test', 'dhcp.test', 'rebase.test'),
    least: 79,
  },
  {
    name: 'allocation',
    files: below('shared/vcf/names', 'allocation'),
    tests: below('test/shared/vcf/names', 'allocation.test'),
    least: 96,
  },
  {
    name: 'authorize',
    files: [
      ...below('shared/kernel/operation/middleware', 'authorization'),
      ...below('shared/kernel/access', 'missing-scope'),
      ...below('shared/services/network-boot/boot', 'attempt', 'boot-code'),
    ],
    tests: [
      ...below('test/shared/kernel/operation', 'authorization.test'),
      ...below('test/shared/services/network-boot/boot', 'attempt.test'),
    ],
    least: 98,
  },
  {
    name: 'access',
    files: below('shared/kernel/access', 'scopes', 'password-rules', 'sign-in-line'),
    tests: [...below('test/shared/kernel/access', 'scopes.test', 'password-rules.test', 'sign-in-line.test')],
    least: 85,
  },
  {
    name: 'window',
    files: below('shared/appliance/apply/window', 'path', 'proof', 'record', 'confirm-window'),
    tests: [
      ...below('test/shared/appliance/apply/window', 'confirm-window.test', 'operator-way.test'),
      ...below('test/faults', 'window.test'),
    ],
    without: ['is ended by a confirmation or by its deadline, 200 times, never by both'],
    least: 92,
  },
];
