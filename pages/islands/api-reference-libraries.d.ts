// The little that api-reference.ts uses of its libraries; their own types would bring React's into every file.
declare module 'react' {
  export function createElement(component: unknown, props: object): object;
}
declare module 'react-dom/client' {
  export function createRoot(container: Element): { render(node: object): void };
}
declare module 'redoc' {
  export const RedocStandalone: unknown;
}
