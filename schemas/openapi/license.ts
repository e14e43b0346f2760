/** The licence of the service, with its SPDX identifier. */
export const license = { name: 'Apache License 2.0', identifier: 'Apache-2.0' } as const;
