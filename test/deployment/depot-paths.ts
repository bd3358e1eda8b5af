// Ways in which people and tools ask for what is not theirs: names of files outside of the store and of protected ones in
// it, in every spelling that some server once fell for.

/** How a step upwards, or a separator, has been written to get past a check. */
const STEPS = [
  '../',
  '..%2f',
  '..%2F',
  '%2e%2e/',
  '%2E%2E/',
  '%2e%2e%2f',
  '.%2e/',
  '%2e./',
  '..%5c',
  '..\\',
  '%2e%2e%5c',
  '..%252f',
  '%252e%252e/',
  '%252e%252e%252f',
  '..%c0%af',
  '%c0%ae%c0%ae/',
  '%c0%ae%c0%ae%c0%af',
  '..%e0%80%af',
  '%uff0e%uff0e/',
  '%u002e%u002e%u2215',
  '..;/',
  '..;a=b/',
  '....//',
  '..././',
  '...//',
  './../',
  '..//',
  '..%00/',
  '..%0d%0a/',
  '..%09/',
  '%2e%2e//',
  '..%2f%2f',
  '..／',
  '．．/',
];

/** Where the steps begin: the open trees need no login. */
const STARTS = ['/', '/PROD/vsan/hcl/', '/umds-patch-store/', '/PROD/COMP/', '/products/v1/bundles/'];

/** `secret` lies beside the store; so do these files of every machine. */
function outside(secret: string): string[] {
  return STARTS.flatMap((start) =>
    STEPS.flatMap((step) => [`${start}${step.repeat(12)}etc/passwd`, `${start}${step.repeat(4)}${secret}`]),
  );
}

/** Protected files by way of the open trees, without a login. */
function around(file: string): string[] {
  return STEPS.flatMap((step) => [
    `/PROD/vsan/hcl/${step.repeat(3)}${file.slice(1)}`,
    `/umds-patch-store/${step}${file.slice(1)}`,
    `/products/v1/bundles/all/${step.repeat(4)}${file.slice(1)}`,
  ]);
}

/** Protected files by other spellings of their own names, without a login. */
function respelled(file: string): string[] {
  return [
    file.toLowerCase(),
    file.replace('/PROD', '/prod'),
    file.replace('/PROD', '//PROD'),
    file.replace('/PROD/', '/PROD//'),
    file.replace('/PROD/', '/PROD/./'),
    file.replace('/PROD/', '/PROD%2f'),
    file.replace('/PROD/', '/%50ROD/'),
    file.replace('/PROD/', '/PRO%44/'),
    file.replace('/PROD/', '/x/../PROD/'),
    file.replace('/PROD/', '\\PROD/'),
    file.replace('/PROD/', '/PROD\\'),
    file.replace('/PROD/', '/PROD;/'),
    file.replace('/PROD/', '/PROD;x=y/'),
    file.replace('/PROD/', '/PROD%00/'),
    `${file}%00`,
    `${file}%00.json`,
    `${file}?`,
    `${file}?login=1`,
    `${file}#x`,
    `${file};`,
    `${file}.`,
    `${file}%20`,
    `${file}/`,
    `${file}/.`,
    `${file}/../${file.split('/').at(-1)}`,
    `https://depot.lab.example${file}`,
    `http://other.example${file}`,
    `//depot.lab.example${file}`,
    `/umds-patch-store/..${file}`,
    `/umds-patch-store${file}`,
    `/PROD/vsan/hcl${file}`,
    `/PROD/vsan/hcl/all.json${file}`,
    `/PROD/vsan/hcl/all.json/../../../..${file}`,
  ];
}

/** Asked with a login: the store has them, and never gives them out. */
export const HIDDEN = [
  '/.groundcrew/state.json',
  '/.uploads/depotup_1',
  '/PROD/.hidden.json',
  '/PROD/.git/config',
  '/PROD/COMP/.uploads/a.ova',
  '/PROD/%2ehidden.json',
  '/PROD/./.hidden.json',
  '/PROD/COMP/SDDC_MANAGER_VCF/a.ova.part',
  '/PROD/COMP/SDDC_MANAGER_VCF/a.ova.PART',
  '/PROD/COMP/SDDC_MANAGER_VCF/a.ova%2epart',
  '/PROD/COMP/SDDC_MANAGER_VCF/a.ova.tmp',
  '/PROD/COMP/SDDC_MANAGER_VCF/a.ova~',
  '/PROD/link-to-passwd',
  '/PROD/link-to-secret.json',
  '/PROD/linked-folder/passwd',
  '/PROD/linked-inside.json',
  '/PROD/vsan/hcl/link-to-protected.json',
  '/PROD/fifo',
  '/config.json',
  '/log/vdt.log',
];

/** What must never be in an answer without a login. */
export const FORBIDDEN = (secret: string, protectedFile: string): string[] => [
  ...outside(secret),
  ...around(protectedFile),
  ...respelled(protectedFile),
];
