/**
 * Why a value is null. Each reason has one wording, because clients read it in `unavailable`, in problems and in task
 * errors.
 */
export const noLanguageModel = 'No language model is configured: set LLM_BASE_URL and LLM_MODEL.';
export const noEmbeddings = 'No embedding model is configured.';
export const noResponse = 'No response was sent.';
