// How much work a passphrase makes, apart from its use: tests open hundreds of files with less of it.

/** log₂ of the work of a passphrase, as age itself sets it: 256 MiB and about a second for each guess. */
export const LOG_N = 18;
