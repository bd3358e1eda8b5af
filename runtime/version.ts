// The version of this program, from package.json through the build.
declare const GROUNDCREW_VERSION: string | undefined;

export const VERSION = typeof GROUNDCREW_VERSION === 'string' ? GROUNDCREW_VERSION : '0.0.0-development';
