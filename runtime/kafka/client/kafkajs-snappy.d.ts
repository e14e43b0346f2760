declare module 'kafkajs-snappy' {
  const codec: () => unknown;
  // eslint-disable-next-line no-restricted-exports -- this is how a CommonJS function is declared
  export default codec;
}
