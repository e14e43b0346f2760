import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * What an edge tells the group about itself. Anybody who may join the group in Kafka could tell anything. The proof
 * shows that the address comes from an edge that knows the secret, so that no other address is asked, or gets the
 * secret.
 */
export function introduce(url: string, secret: string): string {
  return JSON.stringify({ url, proof: proofOf(url, secret).toString('base64url') });
}

/** The address, or undefined where it is not proven. */
export function provenUrl(about: string, secret: string): string | undefined {
  try {
    const { url, proof } = JSON.parse(about) as Partial<Record<'url' | 'proof', unknown>>;
    if (typeof url !== 'string' || typeof proof !== 'string') return undefined;
    const shown = Buffer.from(proof, 'base64url');
    const right = proofOf(url, secret);
    return shown.length === right.length && timingSafeEqual(shown, right) ? url : undefined;
  } catch {
    return undefined;
  }
}

function proofOf(url: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(`telltale edge ${url}`).digest();
}
