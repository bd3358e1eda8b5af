// Lets a library that writes its styles into <style> elements work below `style-src 'self'`. The policy empties such
// elements, but not constructed style sheets (CSSOM, "Constructable Stylesheets"), which only a script can make. So
// whoever asks for a <style> here gets an inert element whose `sheet` is a constructed one. Import it before the library.

const createElement = document.createElement.bind(document);

function adoptedStyle(): HTMLElement {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return Object.defineProperty(createElement('template'), 'sheet', { value: sheet });
}

document.createElement = ((name: string, options?: ElementCreationOptions) =>
  name === 'style' ? adoptedStyle() : createElement(name, options)) as typeof document.createElement;
