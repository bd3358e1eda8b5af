// How much work a password makes, apart from its use: tests set and check hundreds of them with less of it.

/** log₂ of N: with r = 8 and p = 1, 64 MiB and roughly 0.2 s on the small machines this runs on. */
export const LOG_N = 16;
