interface ErrorDetails {
  readonly status?: number;
  readonly code?: string;
  readonly name?: string;
  readonly cause?: unknown;
}

const detailsOf = (error: unknown): ErrorDetails => (error instanceof Error ? error : {});

/** An endpoint's status, or else the error's kind: its text may contain an endpoint's address or a key. */
export function embeddingFailure(error: unknown): { readonly status: number } | { readonly kind: string } {
  const { status, code, cause, name = 'unknown error' } = detailsOf(error);
  return status !== undefined ? { status } : { kind: code ?? detailsOf(cause).code ?? name };
}
