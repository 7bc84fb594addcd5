import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.StringJoiner;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.SmallFloat;
import org.apache.lucene.util.Version;

/**
 * BM25 top-k in Lucene on one thread. Arguments: a file of documents and one of queries, one text a line, terms parted by
 * spaces, and an empty folder for the index. Prints a JSON line that names the versions and the lengths that one byte can
 * hold; then, for each line "depth queries" on standard input, ranks so many queries and prints
 * {"seconds": ..., "cpuSeconds": ..., "heads": [[[row, score], ...], ...]}, the first ten of the first 500 lists.
 */
public final class LucenePeer {
  private static final String FIELD = "text";

  public static void main(String[] arguments) throws Exception {
    List<String> documents = Files.readAllLines(Path.of(arguments[0]));
    List<String> queries = Files.readAllLines(Path.of(arguments[1]));
    BM25Similarity similarity = new BM25Similarity(1.5f, 0.75f);
    MMapDirectory directory = new MMapDirectory(Path.of(arguments[2]));
    long start = System.nanoTime();
    IndexWriterConfig configuration = new IndexWriterConfig(new WhitespaceAnalyzer()).setSimilarity(similarity);
    try (IndexWriter writer = new IndexWriter(directory, configuration)) {
      FieldType type = new FieldType();
      type.setTokenized(true);
      type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
      type.freeze();
      for (String text : documents) {
        Document document = new Document();
        document.add(new Field(FIELD, text, type));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    double indexSeconds = (System.nanoTime() - start) / 1e9;
    IndexSearcher searcher = new IndexSearcher(DirectoryReader.open(directory));
    searcher.setSimilarity(similarity);
    searcher.setQueryCache(null);
    StringJoiner lengths = new StringJoiner(",", "[", "]");
    for (int length = 0; length < 3000; length++) {
      lengths.add(Integer.toString(SmallFloat.byte4ToInt(SmallFloat.intToByte4(length))));
    }
    System.out.printf(
        "{\"versions\": {\"lucene\": \"%s\", \"java\": \"%s\"}, \"indexSeconds\": %f, \"lengths\": %s}%n",
        Version.LATEST, Runtime.version(), indexSeconds, lengths);
    BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String job = jobs.readLine(); job != null; job = jobs.readLine()) {
      String[] numbers = job.split(" ");
      run(searcher, queries.subList(0, Integer.parseInt(numbers[1])), Integer.parseInt(numbers[0]));
    }
  }

  private static void run(IndexSearcher searcher, List<String> queries, int depth) throws Exception {
    ScoreDoc[][] lists = new ScoreDoc[queries.size()][];
    long start = System.nanoTime();
    long cpu = ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
    for (int query = 0; query < lists.length; query++) {
      BooleanQuery.Builder builder = new BooleanQuery.Builder();
      for (String term : queries.get(query).split(" ")) {
        builder.add(new TermQuery(new Term(FIELD, term)), BooleanClause.Occur.SHOULD);
      }
      lists[query] = searcher.search(builder.build(), depth).scoreDocs;
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    double cpuSeconds =
        (ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos() - cpu) / 1e9;
    StringBuilder heads = new StringBuilder();
    for (int query = 0; query < Math.min(500, lists.length); query++) {
      StringJoiner head = new StringJoiner(",", "[", "]");
      for (int at = 0; at < Math.min(10, lists[query].length); at++) {
        head.add("[" + lists[query][at].doc + "," + lists[query][at].score + "]");
      }
      heads.append(query == 0 ? "" : ",").append(head);
    }
    System.out.printf("{\"seconds\": %f, \"cpuSeconds\": %f, \"heads\": [%s]}%n", seconds, cpuSeconds, heads);
  }
}
