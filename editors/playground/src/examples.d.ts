// Made by build.mjs from examples/.
declare module "examples" {
  const examples: { name: string; title: string; text: string }[];
  export default examples;
}
