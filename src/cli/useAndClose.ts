/** Uses something that has to be closed, and closes it when `use` has ended, however that ends. */
export async function useAndClose<Resource extends { close(): Promise<void> }, T>(
  resource: Resource,
  use: (resource: Resource) => Promise<T>,
): Promise<T> {
  try {
    return await use(resource);
  } finally {
    await resource.close();
  }
}
