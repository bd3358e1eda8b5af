// Light or dark for the API reference, whose vendor knows nothing of our tokens: Redoc wants a theme object.

export type ColourScheme = 'light' | 'dark';

const dark = matchMedia('(prefers-color-scheme: dark)');

function chosenScheme(): ColourScheme {
  const theme = document.documentElement.dataset.theme;
  if (theme === 'light' || theme === 'dark') return theme;
  return dark.matches ? 'dark' : 'light';
}

/** Marks the root element and calls `show` now and whenever the browser's preference changes. */
export function followColourScheme(show: (scheme: ColourScheme) => void): void {
  const apply = () => {
    const scheme = chosenScheme();
    document.documentElement.classList.toggle('dark-mode', scheme === 'dark');
    show(scheme);
  };
  dark.addEventListener('change', apply);
  apply();
}
